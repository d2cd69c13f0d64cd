import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

type Impact = 'minor' | 'moderate' | 'serious' | 'critical';

/** The looks in which every screen is checked. */
const looks = [
  { colorScheme: 'light', width: 1440 },
  { colorScheme: 'dark', width: 390 },
] as const;

/**
 * Shows a page light and wide, then dark and narrow, without loading it again. Expects no accessibility violation of one of
 * `impacts` (default: serious and critical) and no horizontal overflow in either. Leaves the page light and wide.
 */
export async function expectAccessible(
  page: Page,
  { screen = page.url(), impacts = ['serious', 'critical'] }: { screen?: string; impacts?: Impact[] } = {},
): Promise<void> {
  for (const { colorScheme, width } of looks) {
    await show(page, colorScheme, width);
    const { axe, overflow_px } = await pageFaults(page, impacts);
    expect({ screen, colorScheme, axe, overflow_px }).toEqual({
      screen,
      colorScheme,
      axe: [],
      overflow_px: 0,
    });
  }
  await show(page, looks[0].colorScheme, looks[0].width);
}

async function show(page: Page, colorScheme: 'light' | 'dark', width: number): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width, height: 900 });
  // Passed as text, because tests are compiled without DOM types. Waits for colour transitions, which would be measured half-way.
  await page.evaluate(`(async () => {
    for (let frames = 0; frames < 2; frames++) await new Promise((next) => requestAnimationFrame(next));
    const transitions = document.getAnimations().filter((each) => each instanceof CSSTransition);
    await Promise.allSettled(transitions.map((each) => each.finished));
  })()`);
}

/** Violations that axe finds on a page as it is, and by how many pixels the page is wider than its window. */
async function pageFaults(
  page: Page,
  impacts: readonly Impact[],
): Promise<{ readonly axe: unknown; readonly overflow_px: number }> {
  // Not as a script of the page: its content policy allows none.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe.source);
  return page.evaluate(`axe.run({ resultTypes: ['violations'] }).then(({ violations }) => ({
    axe: violations
      .filter(({ impact }) => ${JSON.stringify(impacts)}.includes(impact))
      .map(({ id, nodes }) => [id, nodes[0].html]),
    overflow_px: Math.max(0, document.documentElement.scrollWidth - innerWidth),
  }))`);
}
