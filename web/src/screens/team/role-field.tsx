import type { Role } from '@assay/client';
import { roles } from '../../shell/session.tsx';

const may: Readonly<Record<Role, string>> = {
  viewer: 'sees everything',
  reviewer: 'and decides',
  engineer: 'and runs, annotates, exports',
  admin: 'and runs the team',
};

/** The choice of a role in a form, by the name `role`. */
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
