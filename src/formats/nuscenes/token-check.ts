import type { Finding } from '#core/episode';
import { nuScenesBreach } from './rules.ts';

/** Tokens of one table: whether two records have the same. */
export class TokenCheck {
  readonly #seen = new Set<string>();
  readonly #twice: string[] = [];

  add(token: string): void {
    if (this.#seen.has(token)) this.#twice.push(token);
    this.#seen.add(token);
  }

  has(token: string): boolean {
    return this.#seen.has(token);
  }

  findings(path: string): Finding[] {
    if (this.#twice.length === 0) return [];
    const message = `${this.#twice.length} records of ${path} have the token of another: ${this.#twice.slice(0, 3).join(', ')}`;
    return [nuScenesBreach('nuscenes_token_twice', path, message, { records: this.#twice.length })];
  }
}
