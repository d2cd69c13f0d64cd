import type { Citation } from '#core/api';

/**
 * Literature cited for or against recommendations. `finding` is our summary; the papers say more, and more
 * carefully.
 */
export const literature = {
  act: {
    authors: 'Zhao, Kumar, Levine, Finn',
    year: 2023,
    title: 'Learning Fine-Grained Bimanual Manipulation with Low-Cost Hardware',
    venue: 'RSS 2023',
    arxiv: '2304.13705',
    finding:
      'Predicting chunks of absolute joint targets lifts success from 1 % with single steps to 44 % with chunks of 100 rows at 50 Hz, and carries a policy over the pauses that demonstrators make',
  },
  diffusion_policy: {
    authors: 'Chi, Xu, Feng, Cousineau, Du, Burchfiel, Tedrake, Song',
    year: 2023,
    title: 'Diffusion Policy: Visuomotor Policy Learning via Action Diffusion',
    venue: 'RSS 2023',
    arxiv: '2303.04137',
    finding:
      'Denoising action chunks beats the behaviour-cloning methods it was compared with by 46.9 % on average, and does better with position targets than with velocities',
  },
  robomimic: {
    authors: 'Mandlekar, Xu, Wong, Nasiriany, Wang, Kulkarni, Fei-Fei, Savarese, Zhu, Martín-Martín',
    year: 2021,
    title: 'What Matters in Learning from Offline Human Demonstrations for Robot Manipulation',
    venue: 'CoRL 2021',
    arxiv: '2108.03298',
    finding:
      'On demonstrations by people, policies with memory of the past beat those without, and the quality of the demonstrations decides much of the result',
  },
  noising: {
    authors: 'Pan, Anantharaman, Huang, Jin, Pfrommer, Yuan, Permenter, Qu, Boffi, Shi, Simchowitz',
    year: 2025,
    title: 'Much Ado About Noising: Dispelling the Myths of Generative Robotic Control',
    venue: 'ICLR 2026',
    arxiv: '2512.01809',
    finding:
      'With architectures made equal, a two-step regression policy about matches flow policies; their advantage is not that they keep several modes apart',
  },
  openvla_oft: {
    authors: 'Kim, Finn, Liang',
    year: 2025,
    title: 'Fine-Tuning Vision-Language-Action Models: Optimizing Speed and Success',
    venue: null,
    arxiv: '2502.19645',
    finding:
      'Chunks of continuous actions with a plain L1 loss lift a fine-tuned VLA from 76.5 % to 97.1 % on LIBERO, and past policies trained from scratch on a two-armed robot',
  },
  fast: {
    authors: 'Pertsch, Stachowicz, Ichter, Driess, Nair, Vuong, Mees, Finn, Levine',
    year: 2025,
    title: 'FAST: Efficient Action Tokenization for Vision-Language-Action Models',
    venue: null,
    arxiv: '2501.09747',
    finding:
      'Cutting each action of each row into bins, as early VLAs did, learns dexterous skills poorly from data of high rates',
  },
  bid: {
    authors: 'Liu, Hamid, Xie, Lee, Du, Finn',
    year: 2024,
    title: 'Bidirectional Decoding: Improving Action Chunking via Guided Test-Time Sampling',
    venue: null,
    arxiv: '2408.17355',
    finding:
      'Reports on chunking contradict each other: chunks keep to the demonstrator’s course at the cost of reacting to what was not expected',
  },
  action_space_design: {
    authors: 'Feng, Zheng, Wang, Liu, Li, Pang, Wang, Zhan',
    year: 2026,
    title: 'Demystifying Action Space Design for Robotic Manipulation Policies',
    venue: null,
    arxiv: '2602.23408',
    finding:
      'Over 13,000 real rollouts, predicting changes rather than absolute targets helps consistently; joint space is the more stable, task space generalises further',
  },
  umi: {
    authors: 'Chi, Xu, Pan, Cousineau, Burchfiel, Feng, Tedrake, Song',
    year: 2024,
    title: 'Universal Manipulation Interface: In-The-Wild Robot Teaching Without In-The-Wild Robots',
    venue: 'RSS 2024',
    arxiv: '2402.10329',
    finding:
      'End-effector trajectories relative to where a chunk begins carry demonstrations from handheld grippers to several robots',
  },
  action_space_rl: {
    authors: 'Aljalbout, Frank, Karl, van der Smagt',
    year: 2023,
    title: 'On the Role of the Action Space in Robot Manipulation Learning and Sim-to-Real Transfer',
    venue: null,
    arxiv: '2312.03673',
    finding:
      'For reinforcement learning in simulation, velocity-based action spaces transfer to the real arm better than positions: the best space depends on how the policy is trained',
  },
  scaling: {
    authors: 'Lin, Hu, Sheng, Wen, You, Gao',
    year: 2024,
    title: 'Data Scaling Laws in Imitation Learning for Robotic Manipulation',
    venue: 'ICLR 2025',
    arxiv: '2410.18647',
    finding:
      'How well a policy generalises grows with the number of places and objects by a power law; more demonstrations of the same place and object soon add little',
  },
  pitfalls: {
    authors: 'Simchowitz, Pfrommer, Jadbabaie',
    year: 2025,
    title: 'The Pitfalls of Imitation Learning when Actions are Continuous',
    venue: null,
    arxiv: '2503.09722',
    finding:
      'Smooth policies that answer step by step must suffer errors that grow exponentially with the horizon; chunks and diffusion are ways out',
  },
  v_jepa_2: {
    authors: 'Assran, Bardes, Fan, Garrido, Howes, and others',
    year: 2025,
    title: 'V-JEPA 2: Self-Supervised Video Models Enable Understanding, Prediction and Planning',
    venue: null,
    arxiv: '2506.09985',
    finding:
      'A video model trained without actions needs under 62 hours of robot recordings with them to be planned with on arms it has not seen',
  },
  jepa_wm: {
    authors: 'Terver, Yang, Ponce, Bardes, LeCun',
    year: 2025,
    title: 'What Drives Success in Physical Planning with Joint-Embedding Predictive World Models?',
    venue: null,
    arxiv: '2512.24497',
    finding:
      'Architecture, objective and planner of such models decide much of the success: data alone does not say which to take',
  },
} as const satisfies Record<string, Citation>;

/** Key of a publication in `literature`. */
export type CitationId = keyof typeof literature;
