/** ACT reads pixels. */
export const act = 'ACT';
/** Its successor, for Mobile ALOHA: reads encoded pictures too, and requires less of names and lengths. */
export const plus = 'act-plus-plus';

export type AlohaReader = typeof act | typeof plus;
