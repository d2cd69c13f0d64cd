/** What decoding the kept pictures of a camera gave, besides the frames themselves. */
export interface KeptOutcome {
  readonly codec: string;
  readonly pixel_format: string;
  /** Of the first picture that decoded. */
  readonly size: readonly [width: number, height: number] | null;
  /** Why a picture did not decode, the first of them. */
  readonly failure: string | null;
  /** False: nobody here decodes this encoding, which says nothing about the pictures. */
  readonly supported: boolean;
}
