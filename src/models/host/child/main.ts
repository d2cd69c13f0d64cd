import { providerOrder } from '../onnx-providers.ts';
import { onnxBy } from './runtimes/onnx.ts';
import { tfjs } from './runtimes/tfjs.ts';
import { serveModels } from './serve-models.ts';

serveModels(({ onnx_provider }) => [onnxBy(providerOrder(onnx_provider)), tfjs]);
