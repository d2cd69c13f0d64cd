/**
 * Definitions of the MAVLink messages that are read, by github.com/mavlink/mavlink (common.xml and ardupilotmega.xml): id,
 * name, and the fields in the order of the wire, `type name unit`. Behind `|` stand extension fields, which the checksum
 * leaves out; those that are not read are missing at the end.
 */
export const messageTable: readonly (readonly [number, string, string])[] = [
  [
    0,
    'HEARTBEAT',
    'uint32 custom_mode; uint8 type; uint8 autopilot; uint8 base_mode; uint8 system_status; uint8 mavlink_version',
  ],
  [
    1,
    'SYS_STATUS',
    'uint32 onboard_control_sensors_present; uint32 onboard_control_sensors_enabled; uint32 onboard_control_sensors_health; uint16 load d%; uint16 voltage_battery mV; int16 current_battery cA; uint16 drop_rate_comm c%; uint16 errors_comm; uint16 errors_count1; uint16 errors_count2; uint16 errors_count3; uint16 errors_count4; int8 battery_remaining %',
  ],
  [2, 'SYSTEM_TIME', 'uint64 time_unix_usec us; uint32 time_boot_ms ms'],
  [
    22,
    'PARAM_VALUE',
    'float param_value; uint16 param_count; uint16 param_index; char[16] param_id; uint8 param_type',
  ],
  [
    24,
    'GPS_RAW_INT',
    'uint64 time_usec us; int32 lat degE7; int32 lon degE7; int32 alt mm; uint16 eph; uint16 epv; uint16 vel cm/s; uint16 cog cdeg; uint8 fix_type; uint8 satellites_visible',
  ],
  [
    26,
    'SCALED_IMU',
    'uint32 time_boot_ms ms; int16 xacc mG; int16 yacc mG; int16 zacc mG; int16 xgyro mrad/s; int16 ygyro mrad/s; int16 zgyro mrad/s; int16 xmag mgauss; int16 ymag mgauss; int16 zmag mgauss',
  ],
  [
    27,
    'RAW_IMU',
    'uint64 time_usec us; int16 xacc; int16 yacc; int16 zacc; int16 xgyro; int16 ygyro; int16 zgyro; int16 xmag; int16 ymag; int16 zmag',
  ],
  [
    29,
    'SCALED_PRESSURE',
    'uint32 time_boot_ms ms; float press_abs hPa; float press_diff hPa; int16 temperature cdegC',
  ],
  [
    30,
    'ATTITUDE',
    'uint32 time_boot_ms ms; float roll rad; float pitch rad; float yaw rad; float rollspeed rad/s; float pitchspeed rad/s; float yawspeed rad/s',
  ],
  [
    31,
    'ATTITUDE_QUATERNION',
    'uint32 time_boot_ms ms; float q1; float q2; float q3; float q4; float rollspeed rad/s; float pitchspeed rad/s; float yawspeed rad/s',
  ],
  [
    32,
    'LOCAL_POSITION_NED',
    'uint32 time_boot_ms ms; float x m; float y m; float z m; float vx m/s; float vy m/s; float vz m/s',
  ],
  [
    33,
    'GLOBAL_POSITION_INT',
    'uint32 time_boot_ms ms; int32 lat degE7; int32 lon degE7; int32 alt mm; int32 relative_alt mm; int16 vx cm/s; int16 vy cm/s; int16 vz cm/s; uint16 hdg cdeg',
  ],
  [
    35,
    'RC_CHANNELS_RAW',
    'uint32 time_boot_ms ms; uint16 chan1_raw us; uint16 chan2_raw us; uint16 chan3_raw us; uint16 chan4_raw us; uint16 chan5_raw us; uint16 chan6_raw us; uint16 chan7_raw us; uint16 chan8_raw us; uint8 port; uint8 rssi',
  ],
  [
    36,
    'SERVO_OUTPUT_RAW',
    'uint32 time_usec us; uint16 servo1_raw us; uint16 servo2_raw us; uint16 servo3_raw us; uint16 servo4_raw us; uint16 servo5_raw us; uint16 servo6_raw us; uint16 servo7_raw us; uint16 servo8_raw us; uint8 port; | uint16 servo9_raw us; uint16 servo10_raw us; uint16 servo11_raw us; uint16 servo12_raw us; uint16 servo13_raw us; uint16 servo14_raw us; uint16 servo15_raw us; uint16 servo16_raw us',
  ],
  [
    62,
    'NAV_CONTROLLER_OUTPUT',
    'float nav_roll deg; float nav_pitch deg; float alt_error m; float aspd_error m/s; float xtrack_error m; int16 nav_bearing deg; int16 target_bearing deg; uint16 wp_dist m',
  ],
  [
    65,
    'RC_CHANNELS',
    'uint32 time_boot_ms ms; uint16 chan1_raw us; uint16 chan2_raw us; uint16 chan3_raw us; uint16 chan4_raw us; uint16 chan5_raw us; uint16 chan6_raw us; uint16 chan7_raw us; uint16 chan8_raw us; uint16 chan9_raw us; uint16 chan10_raw us; uint16 chan11_raw us; uint16 chan12_raw us; uint16 chan13_raw us; uint16 chan14_raw us; uint16 chan15_raw us; uint16 chan16_raw us; uint16 chan17_raw us; uint16 chan18_raw us; uint8 chancount; uint8 rssi',
  ],
  [69, 'MANUAL_CONTROL', 'int16 x; int16 y; int16 z; int16 r; uint16 buttons; uint8 target'],
  [
    70,
    'RC_CHANNELS_OVERRIDE',
    'uint16 chan1_raw us; uint16 chan2_raw us; uint16 chan3_raw us; uint16 chan4_raw us; uint16 chan5_raw us; uint16 chan6_raw us; uint16 chan7_raw us; uint16 chan8_raw us; uint8 target_system; uint8 target_component; | uint16 chan9_raw us; uint16 chan10_raw us; uint16 chan11_raw us; uint16 chan12_raw us; uint16 chan13_raw us; uint16 chan14_raw us; uint16 chan15_raw us; uint16 chan16_raw us; uint16 chan17_raw us; uint16 chan18_raw us',
  ],
  [
    74,
    'VFR_HUD',
    'float airspeed m/s; float groundspeed m/s; float alt m; float climb m/s; int16 heading deg; uint16 throttle %',
  ],
  [
    76,
    'COMMAND_LONG',
    'float param1; float param2; float param3; float param4; float param5; float param6; float param7; uint16 command; uint8 target_system; uint8 target_component; uint8 confirmation',
  ],
  [
    83,
    'ATTITUDE_TARGET',
    'uint32 time_boot_ms ms; float[4] q; float body_roll_rate rad/s; float body_pitch_rate rad/s; float body_yaw_rate rad/s; float thrust; uint8 type_mask',
  ],
  [
    85,
    'POSITION_TARGET_LOCAL_NED',
    'uint32 time_boot_ms ms; float x m; float y m; float z m; float vx m/s; float vy m/s; float vz m/s; float afx m/s/s; float afy m/s/s; float afz m/s/s; float yaw rad; float yaw_rate rad/s; uint16 type_mask; uint8 coordinate_frame',
  ],
  [
    87,
    'POSITION_TARGET_GLOBAL_INT',
    'uint32 time_boot_ms ms; int32 lat_int degE7; int32 lon_int degE7; float alt m; float vx m/s; float vy m/s; float vz m/s; float afx m/s/s; float afy m/s/s; float afz m/s/s; float yaw rad; float yaw_rate rad/s; uint16 type_mask; uint8 coordinate_frame',
  ],
  [
    105,
    'HIGHRES_IMU',
    'uint64 time_usec us; float xacc m/s/s; float yacc m/s/s; float zacc m/s/s; float xgyro rad/s; float ygyro rad/s; float zgyro rad/s; float xmag gauss; float ymag gauss; float zmag gauss; float abs_pressure hPa; float diff_pressure hPa; float pressure_alt; float temperature degC; uint16 fields_updated',
  ],
  [
    116,
    'SCALED_IMU2',
    'uint32 time_boot_ms ms; int16 xacc mG; int16 yacc mG; int16 zacc mG; int16 xgyro mrad/s; int16 ygyro mrad/s; int16 zgyro mrad/s; int16 xmag mgauss; int16 ymag mgauss; int16 zmag mgauss',
  ],
  [
    124,
    'GPS2_RAW',
    'uint64 time_usec us; int32 lat degE7; int32 lon degE7; int32 alt mm; uint32 dgps_age ms; uint16 eph; uint16 epv; uint16 vel cm/s; uint16 cog cdeg; uint8 fix_type; uint8 satellites_visible; uint8 dgps_numch',
  ],
  [
    129,
    'SCALED_IMU3',
    'uint32 time_boot_ms ms; int16 xacc mG; int16 yacc mG; int16 zacc mG; int16 xgyro mrad/s; int16 ygyro mrad/s; int16 zgyro mrad/s; int16 xmag mgauss; int16 ymag mgauss; int16 zmag mgauss',
  ],
  [
    132,
    'DISTANCE_SENSOR',
    'uint32 time_boot_ms ms; uint16 min_distance cm; uint16 max_distance cm; uint16 current_distance cm; uint8 type; uint8 id; uint8 orientation; uint8 covariance cm^2',
  ],
  [140, 'ACTUATOR_CONTROL_TARGET', 'uint64 time_usec us; float[8] controls; uint8 group_mlx'],
  [
    141,
    'ALTITUDE',
    'uint64 time_usec us; float altitude_monotonic m; float altitude_amsl m; float altitude_local m; float altitude_relative m; float altitude_terrain m; float bottom_clearance m',
  ],
  [
    147,
    'BATTERY_STATUS',
    'int32 current_consumed mAh; int32 energy_consumed hJ; int16 temperature cdegC; uint16[10] voltages mV; int16 current_battery cA; uint8 id; uint8 battery_function; uint8 type; int8 battery_remaining %',
  ],
  [168, 'WIND', 'float direction deg; float speed m/s; float speed_z m/s'],
  [
    178,
    'AHRS2',
    'float roll rad; float pitch rad; float yaw rad; float altitude m; int32 lat degE7; int32 lng degE7',
  ],
  [
    193,
    'EKF_STATUS_REPORT',
    'float velocity_variance; float pos_horiz_variance; float pos_vert_variance; float compass_variance; float terrain_alt_variance; uint16 flags',
  ],
  [
    230,
    'ESTIMATOR_STATUS',
    'uint64 time_usec us; float vel_ratio; float pos_horiz_ratio; float pos_vert_ratio; float mag_ratio; float hagl_ratio; float tas_ratio; float pos_horiz_accuracy m; float pos_vert_accuracy m; uint16 flags',
  ],
  [
    241,
    'VIBRATION',
    'uint64 time_usec us; float vibration_x; float vibration_y; float vibration_z; uint32 clipping_0; uint32 clipping_1; uint32 clipping_2',
  ],
  [253, 'STATUSTEXT', 'uint8 severity; char[50] text'],
];
