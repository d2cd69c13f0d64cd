import { defineConfig } from 'drizzle-kit';

/** `npm run migration -- --name what_changed` writes the next migration from the schema. */
export default defineConfig({
  dialect: 'postgresql',
  schema: './src/store/schema/index.ts',
  out: './src/store/migrations',
});
