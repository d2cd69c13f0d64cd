import type { Page } from 'playwright-core';

/** How a browser shows a screen. */
export interface Look {
  readonly dark: boolean;
  readonly width: number;
}

/** A place that screens are of: made once, the same each time. */
export interface Scene {
  readonly address: (path: string) => string;
  /** A page of a browser of its own. */
  readonly open: (look: Look) => Promise<Page>;
  readonly close: () => Promise<void> | void;
}

export type SceneName = 'report' | 'web';

/** What is approved: `<name>.png` beside this file. */
export interface Screen {
  readonly name: string;
  readonly scene: SceneName;
  readonly path: string;
  readonly look: Look;
  /** All of the page, at half its size; absent: what the window shows. */
  readonly whole?: boolean;
  /** Resolves when everything is drawn. */
  readonly drawn: (page: Page) => Promise<unknown>;
}
