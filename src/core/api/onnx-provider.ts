/** What ONNX models can be computed by: the processors, or an accelerator that the library knows. */
export const onnxProviderIds = ['cpu', 'cuda', 'coreml', 'directml', 'webgpu'] as const;
export type OnnxProviderId = (typeof onnxProviderIds)[number];

/** What whoever runs the program wants; `auto`: the best that the machine has. */
export const onnxProviderWishes = ['auto', ...onnxProviderIds] as const;
export type OnnxProviderWish = (typeof onnxProviderWishes)[number];
