/** Takes the exit code that a command ends with. */
export type Exit = (code: number) => void;
