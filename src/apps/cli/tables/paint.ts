import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

/** Styles text, or returns it unchanged if colours are off. */
export type Paint = (style: Style, text: string) => string;

/** Creates a `Paint` that applies styles only if `colours` is set. */
export const painter =
  (colours: boolean): Paint =>
  (style, text) =>
    colours ? styleText(style, text, { validateStream: false }) : text;

export const decisionStyle: Readonly<Record<string, Style>> = {
  accept: 'green',
  review: 'yellow',
  reject: 'red',
};

export const severityStyle: Readonly<Record<string, Style>> = {
  blocking: 'red',
  error: 'red',
  warning: 'yellow',
  info: 'dim',
};
