import { chooseProviders } from '../onnx-providers.ts';
import { createOnnxRuntime } from './onnx.ts';
import { serveModels } from './serve-models.ts';
import { tfjs } from './tfjs.ts';

serveModels(({ onnx_provider }) => [createOnnxRuntime(chooseProviders(onnx_provider)), tfjs]);
