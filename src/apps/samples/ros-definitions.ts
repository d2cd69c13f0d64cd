const separator = '='.repeat(80);
const header = `${separator}
MSG: std_msgs/Header
builtin_interfaces/Time stamp
string frame_id
${separator}
MSG: builtin_interfaces/Time
int32 sec
uint32 nanosec`;

const vector = `${separator}
MSG: geometry_msgs/Vector3
float64 x
float64 y
float64 z`;

const quaternion = `${separator}
MSG: geometry_msgs/Quaternion
float64 x
float64 y
float64 z
float64 w`;

/** Definitions of the ROS 2 messages that the samples use, as a bag carries them. */
export const rosDefinitions = {
  'sensor_msgs/msg/JointState': `std_msgs/Header header
string[] name
float64[] position
float64[] velocity
float64[] effort
${header}`,
  'sensor_msgs/msg/CompressedImage': `std_msgs/Header header
string format
uint8[] data
${header}`,
  'sensor_msgs/msg/Imu': `std_msgs/Header header
geometry_msgs/Quaternion orientation
float64[9] orientation_covariance
geometry_msgs/Vector3 angular_velocity
float64[9] angular_velocity_covariance
geometry_msgs/Vector3 linear_acceleration
float64[9] linear_acceleration_covariance
${header}
${quaternion}
${vector}`,
  'sensor_msgs/msg/NavSatFix': `std_msgs/Header header
sensor_msgs/NavSatStatus status
float64 latitude
float64 longitude
float64 altitude
float64[9] position_covariance
uint8 position_covariance_type
${header}
${separator}
MSG: sensor_msgs/NavSatStatus
int8 status
uint16 service`,
  'sensor_msgs/msg/BatteryState': `std_msgs/Header header
float32 voltage
float32 temperature
float32 current
float32 charge
float32 capacity
float32 design_capacity
float32 percentage
${header}`,
  'geometry_msgs/msg/QuaternionStamped': `std_msgs/Header header
geometry_msgs/Quaternion quaternion
${header}
${quaternion}`,
  'std_msgs/msg/String': 'string data',
  'vehicle_msgs/msg/VehicleState': `std_msgs/Header header
float32 speed_mps
float32 steering_angle_rad
float32 throttle
float32 brake
${header}`,
} as const;

export type RosType = keyof typeof rosDefinitions;

/** A ROS 2 stamp. */
export function rosStamp(ns: bigint): { sec: number; nanosec: number } {
  return { sec: Number(ns / 1_000_000_000n), nanosec: Number(ns % 1_000_000_000n) };
}
