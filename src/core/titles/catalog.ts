/** Titles of the use cases, by id. */
export const useCaseTitles = {
  'robotic-manipulation': 'Robotic manipulation',
  'autonomous-driving': 'Autonomous driving',
  'drones-aerial': 'Drones and aerial robots',
  'vision-datasets': 'Vision datasets',
  'spatial-world-models': 'Spatial and world models',
  'humanoids-mobile': 'Humanoids and mobile robots',
  'data-assessment': 'Data assessment',
} as const;

/** Titles of the training targets, by id. */
export const targetTitles = {
  vla: 'Vision-language-action model',
  'behaviour-cloning': 'Behaviour cloning',
  'diffusion-policy': 'Diffusion policy',
  'world-model': 'World model',
  'ssl-encoder': 'Self-supervised encoder',
  detector: 'Object detector',
} as const;

/** Titles of the requirements of training targets, by id. */
export const requirementTitles = {
  kind: 'Data kind',
  accepted_episodes: 'Accepted episodes',
  actions: 'Actions',
  states: 'States',
  cameras: 'Cameras',
  time: 'Timestamps',
  instructions: 'Task instructions',
  varied_instructions: 'Varied instructions',
  outcomes: 'Outcome labels',
  labels: 'Labels',
  one_action_space: 'Single action space',
} as const;

/** Titles of the kinds of data, by id. */
export const kindTitles = {
  teleop: 'Teleoperation',
  egocentric: 'Egocentric video',
  'drive-log': 'Drive log',
  'aerial-flight': 'Drone flight',
  'state-only': 'Signals without cameras',
  'vision-asset': 'Still images',
} as const;
