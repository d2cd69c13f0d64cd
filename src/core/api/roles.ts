/** Ordered: each role may do what those before it may. */
export const roles = ['viewer', 'reviewer', 'engineer', 'admin'] as const;
export type Role = (typeof roles)[number];

/** Whether `role` reaches `required` on the ladder. */
export function roleReaches(role: Role, required: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(required);
}
