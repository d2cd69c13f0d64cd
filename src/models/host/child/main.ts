import { onnx } from './runtimes/onnx.ts';
import { tfjs } from './runtimes/tfjs.ts';
import { serveModels } from './serve-models.ts';

serveModels([onnx, tfjs]);
