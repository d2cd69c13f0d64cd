/** std_msgs, geometry_msgs, trajectory_msgs, shape_msgs, diagnostic_msgs, actionlib_msgs, from Dashing to Lyrical. */
export const valueTypes = `
actionlib_msgs/GoalID: builtin_interfaces/Time stamp; string id
actionlib_msgs/GoalStatus: actionlib_msgs/GoalID goal_id; uint8 status; string text
actionlib_msgs/GoalStatusArray: std_msgs/Header header; actionlib_msgs/GoalStatus[] status_list
diagnostic_msgs/DiagnosticArray: std_msgs/Header header; diagnostic_msgs/DiagnosticStatus[] status
diagnostic_msgs/DiagnosticStatus: byte level; string name; string message; string hardware_id; diagnostic_msgs/KeyValue[] values
diagnostic_msgs/KeyValue: string key; string value
geometry_msgs/Accel: geometry_msgs/Vector3 linear; geometry_msgs/Vector3 angular
geometry_msgs/AccelStamped: std_msgs/Header header; geometry_msgs/Accel accel
geometry_msgs/AccelWithCovariance: geometry_msgs/Accel accel; float64[36] covariance
geometry_msgs/AccelWithCovarianceStamped: std_msgs/Header header; geometry_msgs/AccelWithCovariance accel
geometry_msgs/Inertia: float64 m; geometry_msgs/Vector3 com; float64 ixx; float64 ixy; float64 ixz; float64 iyy; float64 iyz; float64 izz
geometry_msgs/InertiaStamped: std_msgs/Header header; geometry_msgs/Inertia inertia
geometry_msgs/Point: float64 x; float64 y; float64 z
geometry_msgs/Point32: float32 x; float32 y; float32 z
geometry_msgs/PointStamped: std_msgs/Header header; geometry_msgs/Point point
geometry_msgs/Polygon: geometry_msgs/Point32[] points
geometry_msgs/PolygonInstance: geometry_msgs/Polygon polygon; int64 id
geometry_msgs/PolygonInstanceStamped: std_msgs/Header header; geometry_msgs/PolygonInstance polygon
geometry_msgs/PolygonStamped: std_msgs/Header header; geometry_msgs/Polygon polygon
geometry_msgs/Pose: geometry_msgs/Point position; geometry_msgs/Quaternion orientation
geometry_msgs/Pose2D: float64 x; float64 y; float64 theta
geometry_msgs/PoseArray: std_msgs/Header header; geometry_msgs/Pose[] poses
geometry_msgs/PoseStamped: std_msgs/Header header; geometry_msgs/Pose pose
geometry_msgs/PoseWithCovariance: geometry_msgs/Pose pose; float64[36] covariance
geometry_msgs/PoseWithCovarianceStamped: std_msgs/Header header; geometry_msgs/PoseWithCovariance pose
geometry_msgs/Quaternion: float64 x; float64 y; float64 z; float64 w
geometry_msgs/QuaternionStamped: std_msgs/Header header; geometry_msgs/Quaternion quaternion
geometry_msgs/Transform: geometry_msgs/Vector3 translation; geometry_msgs/Quaternion rotation
geometry_msgs/TransformStamped: std_msgs/Header header; string child_frame_id; geometry_msgs/Transform transform
geometry_msgs/Twist: geometry_msgs/Vector3 linear; geometry_msgs/Vector3 angular
geometry_msgs/TwistStamped: std_msgs/Header header; geometry_msgs/Twist twist
geometry_msgs/TwistWithCovariance: geometry_msgs/Twist twist; float64[36] covariance
geometry_msgs/TwistWithCovarianceStamped: std_msgs/Header header; geometry_msgs/TwistWithCovariance twist
geometry_msgs/Vector3: float64 x; float64 y; float64 z
geometry_msgs/Vector3Stamped: std_msgs/Header header; geometry_msgs/Vector3 vector
geometry_msgs/VelocityStamped: std_msgs/Header header; string body_frame_id; string reference_frame_id; geometry_msgs/Twist velocity
geometry_msgs/Wrench: geometry_msgs/Vector3 force; geometry_msgs/Vector3 torque
geometry_msgs/WrenchStamped: std_msgs/Header header; geometry_msgs/Wrench wrench
shape_msgs/Mesh: shape_msgs/MeshTriangle[] triangles; geometry_msgs/Point[] vertices
shape_msgs/MeshTriangle: uint32[3] vertex_indices
shape_msgs/Plane: float64[4] coef
shape_msgs/SolidPrimitive: uint8 type; float64[] dimensions
shape_msgs/SolidPrimitive since humble: uint8 type; float64[] dimensions; geometry_msgs/Polygon polygon
std_msgs/Bool: bool data
std_msgs/Byte: byte data
std_msgs/ByteMultiArray: std_msgs/MultiArrayLayout layout; byte[] data
std_msgs/Char: char data
std_msgs/ColorRGBA: float32 r; float32 g; float32 b; float32 a
std_msgs/Empty:
std_msgs/Float32: float32 data
std_msgs/Float32MultiArray: std_msgs/MultiArrayLayout layout; float32[] data
std_msgs/Float64: float64 data
std_msgs/Float64MultiArray: std_msgs/MultiArrayLayout layout; float64[] data
std_msgs/Header: builtin_interfaces/Time stamp; string frame_id
std_msgs/Int16: int16 data
std_msgs/Int16MultiArray: std_msgs/MultiArrayLayout layout; int16[] data
std_msgs/Int32: int32 data
std_msgs/Int32MultiArray: std_msgs/MultiArrayLayout layout; int32[] data
std_msgs/Int64: int64 data
std_msgs/Int64MultiArray: std_msgs/MultiArrayLayout layout; int64[] data
std_msgs/Int8: int8 data
std_msgs/Int8MultiArray: std_msgs/MultiArrayLayout layout; int8[] data
std_msgs/MultiArrayDimension: string label; uint32 size; uint32 stride
std_msgs/MultiArrayLayout: std_msgs/MultiArrayDimension[] dim; uint32 data_offset
std_msgs/String: string data
std_msgs/UInt16: uint16 data
std_msgs/UInt16MultiArray: std_msgs/MultiArrayLayout layout; uint16[] data
std_msgs/UInt32: uint32 data
std_msgs/UInt32MultiArray: std_msgs/MultiArrayLayout layout; uint32[] data
std_msgs/UInt64: uint64 data
std_msgs/UInt64MultiArray: std_msgs/MultiArrayLayout layout; uint64[] data
std_msgs/UInt8: uint8 data
std_msgs/UInt8MultiArray: std_msgs/MultiArrayLayout layout; uint8[] data
trajectory_msgs/JointTrajectory: std_msgs/Header header; string[] joint_names; trajectory_msgs/JointTrajectoryPoint[] points
trajectory_msgs/JointTrajectoryPoint: float64[] positions; float64[] velocities; float64[] accelerations; float64[] effort; builtin_interfaces/Duration time_from_start
trajectory_msgs/MultiDOFJointTrajectory: std_msgs/Header header; string[] joint_names; trajectory_msgs/MultiDOFJointTrajectoryPoint[] points
trajectory_msgs/MultiDOFJointTrajectoryPoint: geometry_msgs/Transform[] transforms; geometry_msgs/Twist[] velocities; geometry_msgs/Twist[] accelerations; builtin_interfaces/Duration time_from_start
`;
