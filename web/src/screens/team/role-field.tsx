import type { Role } from '#client';
import { roles } from '../../shell/session.tsx';

const may: Readonly<Record<Role, string>> = {
  viewer: 'view everything',
  reviewer: 'also review episodes',
  engineer: 'also run, annotate, export',
  admin: 'also manage team and budget',
};

/** Select field of a role, with the form name `role`. */
export function RoleField() {
  return (
    <label>
      Role
      <select name="role" defaultValue="viewer">
        {roles.map((role) => (
          <option key={role} value={role}>
            {role}: {may[role]}
          </option>
        ))}
      </select>
    </label>
  );
}
