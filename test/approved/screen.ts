import type { Page } from 'playwright-core';

/** Browser settings that a screen is shown with. */
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

/** A screen with an approved image, `<name>.png` next to this file. */
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
