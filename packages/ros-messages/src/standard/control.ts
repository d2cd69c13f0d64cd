/** control_msgs as ros2_control's controllers publish them; `since` is about when, and the first message decides. */
export const controlTypes = `
control_msgs/DynamicJointState: std_msgs/Header header; string[] joint_names; control_msgs/InterfaceValue[] interface_values
control_msgs/GripperCommand: float64 position; float64 max_effort
control_msgs/InterfaceValue: string[] interface_names; float64[] values
control_msgs/JointControllerState: std_msgs/Header header; float64 set_point; float64 process_value; float64 process_value_dot; float64 error; float64 time_step; float64 command; float64 p; float64 i; float64 d; float64 i_clamp; bool antiwindup
control_msgs/JointJog: std_msgs/Header header; string[] joint_names; float64[] displacements; float64[] velocities; float64 duration
control_msgs/JointTolerance: string name; float64 position; float64 velocity; float64 acceleration
control_msgs/JointTrajectoryControllerState: std_msgs/Header header; string[] joint_names; trajectory_msgs/JointTrajectoryPoint desired; trajectory_msgs/JointTrajectoryPoint actual; trajectory_msgs/JointTrajectoryPoint error
control_msgs/JointTrajectoryControllerState since humble: std_msgs/Header header; string[] joint_names; trajectory_msgs/JointTrajectoryPoint reference; trajectory_msgs/JointTrajectoryPoint feedback; trajectory_msgs/JointTrajectoryPoint error; trajectory_msgs/JointTrajectoryPoint output; trajectory_msgs/JointTrajectoryPoint desired; trajectory_msgs/JointTrajectoryPoint actual; string[] multi_dof_joint_names; trajectory_msgs/MultiDOFJointTrajectoryPoint multi_dof_reference; trajectory_msgs/MultiDOFJointTrajectoryPoint multi_dof_feedback; trajectory_msgs/MultiDOFJointTrajectoryPoint multi_dof_error; trajectory_msgs/MultiDOFJointTrajectoryPoint multi_dof_output; trajectory_msgs/MultiDOFJointTrajectoryPoint multi_dof_desired; trajectory_msgs/MultiDOFJointTrajectoryPoint multi_dof_actual
control_msgs/JointTrajectoryControllerState since jazzy: std_msgs/Header header; string[] joint_names; trajectory_msgs/JointTrajectoryPoint reference; trajectory_msgs/JointTrajectoryPoint feedback; trajectory_msgs/JointTrajectoryPoint error; trajectory_msgs/JointTrajectoryPoint output; string[] multi_dof_joint_names; trajectory_msgs/MultiDOFJointTrajectoryPoint multi_dof_reference; trajectory_msgs/MultiDOFJointTrajectoryPoint multi_dof_feedback; trajectory_msgs/MultiDOFJointTrajectoryPoint multi_dof_error; trajectory_msgs/MultiDOFJointTrajectoryPoint multi_dof_output
control_msgs/MultiDOFCommand: string[] dof_names; float64[] values; float64[] values_dot
control_msgs/MultiDOFStateStamped: std_msgs/Header header; control_msgs/SingleDOFState[] dof_states
control_msgs/PidState: std_msgs/Header header; builtin_interfaces/Duration timestep; float64 error; float64 error_dot; float64 p_error; float64 i_error; float64 d_error; float64 p_term; float64 i_term; float64 d_term; float64 i_max; float64 i_min; float64 output
control_msgs/SingleDOFState: string name; float64 reference; float64 feedback; float64 feedback_dot; float64 error; float64 error_dot; float64 time_step; float64 output
control_msgs/SingleDOFStateStamped: std_msgs/Header header; control_msgs/SingleDOFState dof_state
`;
