import type { Random } from '#core';

/** Returns a shuffled copy of the items; every order is equally likely (Fisher-Yates). */
export function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  const order = [...items];
  for (let i = order.length - 1; i > 0; i--) {
    const j = random.integer(0, i);
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}
