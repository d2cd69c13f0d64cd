/** Builds a sensor_msgs/NavSatFix message from latitude and longitude in degrees and altitude in metres. */
export const satelliteFix = (header: object, [latitude, longitude, altitude]: readonly number[]): object => ({
  header,
  status: { status: 0, service: 1 },
  latitude,
  longitude,
  altitude,
  position_covariance: new Array<number>(9).fill(0),
  position_covariance_type: 0,
});
