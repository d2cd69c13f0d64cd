/** sensor_msgs, nav_msgs, stereo_msgs, visualization_msgs, from Dashing to Lyrical; what std_srvs says of its calls. */
export const sensingTypes = `
nav_msgs/Goals: std_msgs/Header header; geometry_msgs/PoseStamped[] goals
nav_msgs/GridCells: std_msgs/Header header; float32 cell_width; float32 cell_height; geometry_msgs/Point[] cells
nav_msgs/MapMetaData: builtin_interfaces/Time map_load_time; float32 resolution; uint32 width; uint32 height; geometry_msgs/Pose origin
nav_msgs/OccupancyGrid: std_msgs/Header header; nav_msgs/MapMetaData info; int8[] data
nav_msgs/Odometry: std_msgs/Header header; string child_frame_id; geometry_msgs/PoseWithCovariance pose; geometry_msgs/TwistWithCovariance twist
nav_msgs/Path: std_msgs/Header header; geometry_msgs/PoseStamped[] poses
nav_msgs/Trajectory: std_msgs/Header header; nav_msgs/TrajectoryPoint[] points
nav_msgs/TrajectoryPoint: std_msgs/Header header; geometry_msgs/Pose pose; geometry_msgs/Twist velocity; geometry_msgs/Accel acceleration; geometry_msgs/Wrench effort
sensor_msgs/BatteryState: std_msgs/Header header; float32 voltage; float32 temperature; float32 current; float32 charge; float32 capacity; float32 design_capacity; float32 percentage; uint8 power_supply_status; uint8 power_supply_health; uint8 power_supply_technology; bool present; float32[] cell_voltage; float32[] cell_temperature; string location; string serial_number
sensor_msgs/CameraInfo: std_msgs/Header header; uint32 height; uint32 width; string distortion_model; float64[] d; float64[9] k; float64[9] r; float64[12] p; uint32 binning_x; uint32 binning_y; sensor_msgs/RegionOfInterest roi
sensor_msgs/ChannelFloat32: string name; float32[] values
sensor_msgs/CompressedImage: std_msgs/Header header; string format; uint8[] data
sensor_msgs/FluidPressure: std_msgs/Header header; float64 fluid_pressure; float64 variance
sensor_msgs/Illuminance: std_msgs/Header header; float64 illuminance; float64 variance
sensor_msgs/Image: std_msgs/Header header; uint32 height; uint32 width; string encoding; uint8 is_bigendian; uint32 step; uint8[] data
sensor_msgs/Imu: std_msgs/Header header; geometry_msgs/Quaternion orientation; float64[9] orientation_covariance; geometry_msgs/Vector3 angular_velocity; float64[9] angular_velocity_covariance; geometry_msgs/Vector3 linear_acceleration; float64[9] linear_acceleration_covariance
sensor_msgs/JointState: std_msgs/Header header; string[] name; float64[] position; float64[] velocity; float64[] effort
sensor_msgs/Joy: std_msgs/Header header; float32[] axes; int32[] buttons
sensor_msgs/JoyFeedback: uint8 type; uint8 id; float32 intensity
sensor_msgs/JoyFeedbackArray: sensor_msgs/JoyFeedback[] array
sensor_msgs/LaserEcho: float32[] echoes
sensor_msgs/LaserScan: std_msgs/Header header; float32 angle_min; float32 angle_max; float32 angle_increment; float32 time_increment; float32 scan_time; float32 range_min; float32 range_max; float32[] ranges; float32[] intensities
sensor_msgs/MagneticField: std_msgs/Header header; geometry_msgs/Vector3 magnetic_field; float64[9] magnetic_field_covariance
sensor_msgs/MultiDOFJointState: std_msgs/Header header; string[] joint_names; geometry_msgs/Transform[] transforms; geometry_msgs/Twist[] twist; geometry_msgs/Wrench[] wrench
sensor_msgs/MultiEchoLaserScan: std_msgs/Header header; float32 angle_min; float32 angle_max; float32 angle_increment; float32 time_increment; float32 scan_time; float32 range_min; float32 range_max; sensor_msgs/LaserEcho[] ranges; sensor_msgs/LaserEcho[] intensities
sensor_msgs/NavSatFix: std_msgs/Header header; sensor_msgs/NavSatStatus status; float64 latitude; float64 longitude; float64 altitude; float64[9] position_covariance; uint8 position_covariance_type
sensor_msgs/NavSatStatus: int8 status; uint16 service
sensor_msgs/PointCloud: std_msgs/Header header; geometry_msgs/Point32[] points; sensor_msgs/ChannelFloat32[] channels
sensor_msgs/PointCloud2: std_msgs/Header header; uint32 height; uint32 width; sensor_msgs/PointField[] fields; bool is_bigendian; uint32 point_step; uint32 row_step; uint8[] data; bool is_dense
sensor_msgs/PointField: string name; uint32 offset; uint8 datatype; uint32 count
sensor_msgs/Range: std_msgs/Header header; uint8 radiation_type; float32 field_of_view; float32 min_range; float32 max_range; float32 range
sensor_msgs/Range since iron: std_msgs/Header header; uint8 radiation_type; float32 field_of_view; float32 min_range; float32 max_range; float32 range; float32 variance
sensor_msgs/RegionOfInterest: uint32 x_offset; uint32 y_offset; uint32 height; uint32 width; bool do_rectify
sensor_msgs/RelativeHumidity: std_msgs/Header header; float64 relative_humidity; float64 variance
sensor_msgs/Temperature: std_msgs/Header header; float64 temperature; float64 variance
sensor_msgs/TimeReference: std_msgs/Header header; builtin_interfaces/Time time_ref; string source
stereo_msgs/DisparityImage: std_msgs/Header header; sensor_msgs/Image image; float32 f; float32 t; sensor_msgs/RegionOfInterest valid_window; float32 min_disparity; float32 max_disparity; float32 delta_d
visualization_msgs/ImageMarker: std_msgs/Header header; string ns; int32 id; int32 type; int32 action; geometry_msgs/Point position; float32 scale; std_msgs/ColorRGBA outline_color; uint8 filled; std_msgs/ColorRGBA fill_color; builtin_interfaces/Duration lifetime; geometry_msgs/Point[] points; std_msgs/ColorRGBA[] outline_colors
visualization_msgs/InteractiveMarker: std_msgs/Header header; geometry_msgs/Pose pose; string name; string description; float32 scale; visualization_msgs/MenuEntry[] menu_entries; visualization_msgs/InteractiveMarkerControl[] controls
visualization_msgs/InteractiveMarkerControl: string name; geometry_msgs/Quaternion orientation; uint8 orientation_mode; uint8 interaction_mode; bool always_visible; visualization_msgs/Marker[] markers; bool independent_marker_orientation; string description
visualization_msgs/InteractiveMarkerFeedback: std_msgs/Header header; string client_id; string marker_name; string control_name; uint8 event_type; geometry_msgs/Pose pose; uint32 menu_entry_id; geometry_msgs/Point mouse_point; bool mouse_point_valid
visualization_msgs/InteractiveMarkerInit: string server_id; uint64 seq_num; visualization_msgs/InteractiveMarker[] markers
visualization_msgs/InteractiveMarkerPose: std_msgs/Header header; geometry_msgs/Pose pose; string name
visualization_msgs/InteractiveMarkerUpdate: string server_id; uint64 seq_num; uint8 type; visualization_msgs/InteractiveMarker[] markers; visualization_msgs/InteractiveMarkerPose[] poses; string[] erases
visualization_msgs/Marker: std_msgs/Header header; string ns; int32 id; int32 type; int32 action; geometry_msgs/Pose pose; geometry_msgs/Vector3 scale; std_msgs/ColorRGBA color; builtin_interfaces/Duration lifetime; bool frame_locked; geometry_msgs/Point[] points; std_msgs/ColorRGBA[] colors; string text; string mesh_resource; bool mesh_use_embedded_materials
visualization_msgs/Marker since humble: std_msgs/Header header; string ns; int32 id; int32 type; int32 action; geometry_msgs/Pose pose; geometry_msgs/Vector3 scale; std_msgs/ColorRGBA color; builtin_interfaces/Duration lifetime; bool frame_locked; geometry_msgs/Point[] points; std_msgs/ColorRGBA[] colors; string texture_resource; sensor_msgs/CompressedImage texture; visualization_msgs/UVCoordinate[] uv_coordinates; string text; string mesh_resource; visualization_msgs/MeshFile mesh_file; bool mesh_use_embedded_materials
visualization_msgs/MarkerArray: visualization_msgs/Marker[] markers
visualization_msgs/MenuEntry: uint32 id; uint32 parent_id; string title; string command; uint8 command_type
visualization_msgs/MeshFile: string filename; uint8[] data
visualization_msgs/UVCoordinate: float32 u; float32 v
std_srvs/srv/Empty_Event: service_msgs/ServiceEventInfo info; std_srvs/srv/Empty_Request[] request; std_srvs/srv/Empty_Response[] response
std_srvs/srv/Empty_Request:
std_srvs/srv/Empty_Response:
std_srvs/srv/SetBool_Event: service_msgs/ServiceEventInfo info; std_srvs/srv/SetBool_Request[] request; std_srvs/srv/SetBool_Response[] response
std_srvs/srv/SetBool_Request: bool data
std_srvs/srv/SetBool_Response: bool success; string message
std_srvs/srv/Trigger_Event: service_msgs/ServiceEventInfo info; std_srvs/srv/Trigger_Request[] request; std_srvs/srv/Trigger_Response[] response
std_srvs/srv/Trigger_Request:
std_srvs/srv/Trigger_Response: bool success; string message
`;
