/** Roles in ascending order: each may do everything that the roles before it may. */
export const roles = ['viewer', 'reviewer', 'engineer', 'admin'] as const;
export type Role = (typeof roles)[number];

/** Returns true if `role` is `required` or a higher role. */
export function roleReaches(role: Role, required: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(required);
}
