import { chooseProviders } from '../onnx-providers.ts';
import { onnxBy } from './runtimes/onnx.ts';
import { tfjs } from './runtimes/tfjs.ts';
import { serveModels } from './serve-models.ts';

serveModels(({ onnx_provider }) => [onnxBy(chooseProviders(onnx_provider)), tfjs]);
