import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DataArguments, ModelEnvironment } from '#apps/cli';
import { readConfig } from './config.ts';

/**
 * Returns data folder, model hub and model settings of the environment, and whether a database exists; opens and
 * creates nothing. Throws `usage` for invalid variables.
 */
export function modelPlace(args: DataArguments): ModelEnvironment {
  const config = readConfig(process.env, args.data === undefined ? {} : { data: args.data });
  const {
    data_folder,
    model_hub: hub,
    environment_models,
    vision_endpoint,
    onnx_provider,
    database_url,
  } = config;
  const has_database = database_url !== null || existsSync(join(data_folder, 'database'));
  return {
    ...{ data_folder, hub, environment_models, onnx_provider, has_database },
    ...(vision_endpoint !== null && { vision_endpoint }),
  };
}
