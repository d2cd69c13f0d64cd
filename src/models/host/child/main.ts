import { onnx } from './runtimes/onnx.ts';
import { serveModels } from './serve-models.ts';

serveModels([onnx]);
