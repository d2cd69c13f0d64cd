import type { StreamRole, UnitOfMeasure } from '#core/episode';

/** Topics of commands, by the names that ROS drivers, MoveIt, ALOHA and UMI recorders use. */
const commanded =
  /(^|[/_.])(cmd|command|commands|commanded|action|actions|setpoint|setpoints|desired|target|targets|goal|goals|leader|master|teleop)([/_.]|$)|cmd_vel|_cmd$|_command$|leader_|master_/i;
const measured =
  /(^|[/_.])(state|states|joint_states|follower|puppet|measured|feedback|actual|observation)([/_.]|$)/i;

const bySchema: readonly (readonly [RegExp, StreamRole])[] = [
  // Status of a node, or its requests to other nodes: not the robot's body.
  [/(BatteryState|DiagnosticArray|DiagnosticStatus|GoalStatus|GoalStatusArray)$/, 'other'],
  [/(ActionFeedback|ActionResult|_FeedbackMessage|_GetResult_Response)$/, 'other'],
  [/(^|[/.])(Imu|IMU)(Measurement)?$|sensor_combined|SensorImu/, 'imu'],
  [/MagneticField$/, 'imu'],
  [/(NavSatFix|LocationFix|GPSFix|GpsFix|GeoPoint(Stamped)?|NavSatStatus)$/, 'gnss'],
  [/(Odometry|TwistWithCovarianceStamped|PoseWithCovarianceStamped)$/, 'odometry'],
  [/(PointCloud2?|LaserScan|MultiEchoLaserScan|PackedElementField|VelodyneScan|PointCloud)$/, 'lidar'],
  [/(Attitude|VehicleAttitude)$/, 'attitude'],
  [/Wrench(Stamped)?$/, 'effort'],
  [/(AudioData|AudioDataStamped|RawAudio)$/, 'audio'],
];

const vehicle =
  /(^|[/_.])(can|can_bus|canbus|vehicle|steer|steering|steering_angle|wheel_speed|wheel_speeds|throttle|brake|gear|speed|velocity_kph|ackermann)([/_.]|$)/i;

const byTopic: readonly (readonly [RegExp, StreamRole])[] = [
  [/(^|[/_.])reward([/_.]|$)/i, 'reward'],
  [/(^|[/_.])(tactile|touch|gelsight|digit)([/_.]|$)/i, 'tactile'],
  [/(^|[/_.])imu([/_.]|$)/i, 'imu'],
  [/(^|[/_.])(gps|gnss|fix|navsat)([/_.]|$)/i, 'gnss'],
  [/(^|[/_.])attitude([/_.]|$)/i, 'attitude'],
  [/(^|[/_.])odom(etry)?([/_.]|$)/i, 'odometry'],
  [/(^|[/_.])(wrench|force_torque|ft_sensor|ft|effort|torque)([/_.]|$)/i, 'effort'],
];

const proprioception =
  /(^|[/_.])(joint|joints|gripper|arm|ee|eef|end_effector|tcp|qpos|qvel|hand|pose|position|proprio)/i;

/** Schemas of the robot's own joints. */
const bodySchemas =
  /(JointStates?|JointTrajectory|JointTrajectoryPoint|MultiDOFJointState|DynamixelState|RobotState)$/;

/**
 * Returns the role of a numeric topic from its message type and its name; `other` if neither tells it. Command names
 * take precedence over everything but sensors, since a command may have the type of a measurement (a leader arm
 * publishes JointState).
 */
export function numericRole(topic: string, schema: string): StreamRole {
  for (const [pattern, role] of bySchema) {
    if (pattern.test(schema) && !(role === 'effort' && commanded.test(topic))) return role;
  }
  if (vehicle.test(topic) && !/joint|arm|gripper|limit/i.test(topic)) return 'vehicle';
  if (/JointTrajectory$|Twist$|AckermannDrive(Stamped)?$/.test(schema)) {
    return measured.test(topic) ? 'state' : 'action';
  }
  // A stamped twist may be a command or a measurement: inertial units report their velocity this way.
  if (/TwistStamped$/.test(schema)) return commanded.test(topic) ? 'action' : 'odometry';
  if (commanded.test(topic)) return 'action';
  if (bodySchemas.test(schema)) return 'state';
  for (const [pattern, role] of byTopic) if (pattern.test(topic)) return role;
  if (measured.test(topic) || proprioception.test(topic)) return 'state';
  return 'other';
}

/** True if the topic's name contains a word for task descriptions (`task`, `instruction`, `language`, `prompt`, …). */
export function isTaskTopic(topic: string): boolean {
  return /(^|[/_.])(task|tasks|instruction|instructions|language|language_instruction|prompt|goal_text|command_text)([/_.]|$)/i.test(
    topic,
  );
}

/** True if the topic's name contains `success` or `outcome` as a word. */
export function isOutcomeTopic(topic: string): boolean {
  return /(^|[/_.])(success|outcome|is_success|episode_success|task_success)([/_.]|$)/i.test(topic);
}

/** True if the topic's name contains a word for events or annotations (`event`, `marker`, `subtask`, …). */
export function isEventTopic(topic: string): boolean {
  return /(^|[/_.])(event|events|marker|subtask|annotation|annotations)([/_.]|$)/i.test(topic);
}

/** True if the topic's name contains `depth`. */
export function isDepthTopic(topic: string): boolean {
  return /depth/i.test(topic);
}

/** Unit of streams whose message definition names none. */
export const unknownUnit: UnitOfMeasure = {
  unit: 'unknown',
  evidence: 'unknown',
  reason: 'the message definition declares no unit',
};

/** Returns a unit fixed by the message definition (REP 103 for ROS: radians, metres, seconds). `words` explains it. */
export function fixedUnit(schema: string, unit: string, words: string): UnitOfMeasure {
  return { unit, evidence: 'known_format', reason: `${schema}: ${words}` };
}
