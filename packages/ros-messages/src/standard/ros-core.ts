/** Types that ROS 2 itself sends, from Dashing to Lyrical. */
export const rosCore = `
action_msgs/GoalInfo: unique_identifier_msgs/UUID goal_id; builtin_interfaces/Time stamp
action_msgs/GoalStatus: action_msgs/GoalInfo goal_info; int8 status
action_msgs/GoalStatusArray: action_msgs/GoalStatus[] status_list
builtin_interfaces/Duration: int32 sec; uint32 nanosec
builtin_interfaces/Time: int32 sec; uint32 nanosec
libstatistics_collector/DummyMessage: std_msgs/Header header
lifecycle_msgs/State: uint8 id; string label
lifecycle_msgs/Transition: uint8 id; string label
lifecycle_msgs/TransitionDescription: lifecycle_msgs/Transition transition; lifecycle_msgs/State start_state; lifecycle_msgs/State goal_state
lifecycle_msgs/TransitionEvent: uint64 timestamp; lifecycle_msgs/Transition transition; lifecycle_msgs/State start_state; lifecycle_msgs/State goal_state
lifecycle_msgs/TransitionEvent since lyrical: builtin_interfaces/Time stamp; lifecycle_msgs/Transition transition; lifecycle_msgs/State start_state; lifecycle_msgs/State goal_state
rcl_interfaces/FloatingPointRange: float64 from_value; float64 to_value; float64 step
rcl_interfaces/IntegerRange: int64 from_value; int64 to_value; uint64 step
rcl_interfaces/IntraProcessMessage: uint64 publisher_id; uint64 message_sequence
rcl_interfaces/ListParametersResult: string[] names; string[] prefixes
rcl_interfaces/Log: builtin_interfaces/Time stamp; uint8 level; string name; string msg; string file; string function; uint32 line
rcl_interfaces/LoggerLevel: string name; uint32 level
rcl_interfaces/Parameter: string name; rcl_interfaces/ParameterValue value
rcl_interfaces/ParameterDescriptor: string name; uint8 type; string description; string additional_constraints; bool read_only; rcl_interfaces/FloatingPointRange[] floating_point_range; rcl_interfaces/IntegerRange[] integer_range
rcl_interfaces/ParameterDescriptor since galactic: string name; uint8 type; string description; string additional_constraints; bool read_only; bool dynamic_typing; rcl_interfaces/FloatingPointRange[] floating_point_range; rcl_interfaces/IntegerRange[] integer_range
rcl_interfaces/ParameterEvent: builtin_interfaces/Time stamp; string node; rcl_interfaces/Parameter[] new_parameters; rcl_interfaces/Parameter[] changed_parameters; rcl_interfaces/Parameter[] deleted_parameters
rcl_interfaces/ParameterEventDescriptors: rcl_interfaces/ParameterDescriptor[] new_parameters; rcl_interfaces/ParameterDescriptor[] changed_parameters; rcl_interfaces/ParameterDescriptor[] deleted_parameters
rcl_interfaces/ParameterType:
rcl_interfaces/ParameterValue: uint8 type; bool bool_value; int64 integer_value; float64 double_value; string string_value; byte[] byte_array_value; bool[] bool_array_value; int64[] integer_array_value; float64[] double_array_value; string[] string_array_value
rcl_interfaces/SetLoggerLevelsResult: bool successful; string reason
rcl_interfaces/SetParametersResult: bool successful; string reason
rmw_dds_common/Gid: char[24] data
rmw_dds_common/Gid since iron: char[16] data
rmw_dds_common/NodeEntitiesInfo: string node_namespace; string node_name; rmw_dds_common/Gid[] reader_gid_seq; rmw_dds_common/Gid[] writer_gid_seq
rmw_dds_common/ParticipantEntitiesInfo: rmw_dds_common/Gid gid; rmw_dds_common/NodeEntitiesInfo[] node_entities_info_seq
rosbag2_interfaces/MessagesLostEvent: string node_name; rosbag2_interfaces/MessagesLostEventTopicStat[] messages_lost_statistics
rosbag2_interfaces/MessagesLostEventTopicStat: string topic_name; uint64 messages_lost_in_transport; uint64 messages_lost_in_recorder
rosbag2_interfaces/ReadSplitEvent: string closed_file; string opened_file
rosbag2_interfaces/ReadSplitEvent since jazzy: string closed_file; string opened_file; string node_name
rosbag2_interfaces/WriteSplitEvent: string closed_file; string opened_file
rosbag2_interfaces/WriteSplitEvent since jazzy: string closed_file; string opened_file; string node_name
rosgraph_msgs/Action: string name; rosgraph_msgs/Service send_goal; rosgraph_msgs/Service get_result; rosgraph_msgs/Service cancel_goal; rosgraph_msgs/Topic feedback; rosgraph_msgs/Topic status
rosgraph_msgs/Clock: builtin_interfaces/Time clock
rosgraph_msgs/Graph: rosgraph_msgs/Node[] nodes
rosgraph_msgs/InterfaceType: string name; rosgraph_msgs/TypeHash hash
rosgraph_msgs/Node: string name; rcl_interfaces/ParameterDescriptor[] parameters; rcl_interfaces/ParameterValue[] parameter_values; rosgraph_msgs/Topic[] publishers; rosgraph_msgs/Topic[] subscriptions; rosgraph_msgs/Service[] service_clients; rosgraph_msgs/Service[] service_servers; rosgraph_msgs/Action[] action_clients; rosgraph_msgs/Action[] action_servers
rosgraph_msgs/QoSProfile: uint32 depth; builtin_interfaces/Duration deadline; builtin_interfaces/Duration lifespan; uint8 history; uint8 reliability; uint8 durability; uint8 liveliness; builtin_interfaces/Duration liveliness_lease_duration
rosgraph_msgs/Service: string name; rosgraph_msgs/InterfaceType request_type; rosgraph_msgs/QoSProfile request_qos; rosgraph_msgs/InterfaceType response_type; rosgraph_msgs/QoSProfile response_qos
rosgraph_msgs/Topic: string name; rosgraph_msgs/InterfaceType type; rosgraph_msgs/QoSProfile qos
rosgraph_msgs/TypeHash: uint8 version; uint8[32] value
service_msgs/ServiceEventInfo: uint8 event_type; builtin_interfaces/Time stamp; char[16] client_gid; int64 sequence_number
statistics_msgs/MetricsMessage: string measurement_source_name; string metrics_source; string unit; builtin_interfaces/Time window_start; builtin_interfaces/Time window_stop; statistics_msgs/StatisticDataPoint[] statistics
statistics_msgs/StatisticDataPoint: uint8 data_type; float64 data
statistics_msgs/StatisticDataType:
tf2_msgs/TF2Error: uint8 error; string error_string
tf2_msgs/TFMessage: geometry_msgs/TransformStamped[] transforms
type_description_interfaces/Field: string name; type_description_interfaces/FieldType type; string default_value
type_description_interfaces/FieldType: uint8 type_id; uint64 capacity; uint64 string_capacity; string nested_type_name
type_description_interfaces/IndividualTypeDescription: string type_name; type_description_interfaces/Field[] fields
type_description_interfaces/KeyValue: string key; string value
type_description_interfaces/TypeDescription: type_description_interfaces/IndividualTypeDescription type_description; type_description_interfaces/IndividualTypeDescription[] referenced_type_descriptions
type_description_interfaces/TypeSource: string type_name; string encoding; string raw_file_contents
unique_identifier_msgs/UUID: uint8[16] uuid
test_msgs/BasicTypes: bool bool_value; byte byte_value; char char_value; float32 float32_value; float64 float64_value; int8 int8_value; uint8 uint8_value; int16 int16_value; uint16 uint16_value; int32 int32_value; uint32 uint32_value; int64 int64_value; uint64 uint64_value
test_msgs/Empty:
test_msgs/Strings: string string_value; string string_value_default1; string string_value_default2; string string_value_default3; string string_value_default4; string string_value_default5; string bounded_string_value; string bounded_string_value_default1; string bounded_string_value_default2; string bounded_string_value_default3; string bounded_string_value_default4; string bounded_string_value_default5
`;
