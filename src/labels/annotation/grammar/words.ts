/** How many words a text has: what white space divides. */
export const countWords = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length;

/** A text of at most `most` words; what is cut off leaves an ellipsis. */
export function firstWords(text: string, most: number): string {
  const words = text.split(/\s+/).filter((word) => word !== '');
  return words.length <= most ? words.join(' ') : `${words.slice(0, most).join(' ')} …`;
}

/** A sentence begins with a capital letter and ends with one mark. */
export function sentence(text: string): string {
  const plain = text.trim();
  if (plain === '') return '';
  const [first, ...rest] = plain;
  return `${first.toUpperCase()}${rest.join('')}${/[.!?…]$/.test(plain) ? '' : '.'}`;
}
