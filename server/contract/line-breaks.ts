/** Where lines may break in scripts that write without spaces (kinsoku). PURE. */

/** May not start a line: closing punctuation, small kana, the long vowel mark, Thai vowels and marks that follow. */
const NOT_FIRST =
  /^[\p{Pe}\p{Pf}\p{M}\u3001\u3002\uff0c\uff0e\uff01\uff1f\uff1a\uff1b\u30fb\u3005\u30fc\u2026\u3041\u3043\u3045\u3047\u3049\u3063\u3083\u3085\u3087\u308e\u30a1\u30a3\u30a5\u30a7\u30a9\u30c3\u30e3\u30e5\u30e7\u30ee\u0e2f\u0e46!?.,:;%)\]}]/u
/** May not end a line: opening brackets and quotes. */
const NOT_LAST = /[\p{Ps}\p{Pi}]$/u

/** Whether a line may end after `before` and the next one start with `after`, no space being between them. */
export function mayBreakBetween(before: string, after: string): boolean {
  return !NOT_FIRST.test(after) && !NOT_LAST.test(before)
}
