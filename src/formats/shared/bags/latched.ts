/**
 * True where the profiles that publishers offered say `transient_local`: whoever subscribes later, the recorder too, is
 * handed the last message. Before metadata version 9 the value is a number of rmw_qos_durability_policy_e.
 */
export function isLatched(offeredQosProfiles: string): boolean {
  return /\bdurability:\s*(1|transient_local)\b/.test(offeredQosProfiles);
}
