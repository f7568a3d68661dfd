/** The language of captions as far as their letters tell it: a clip document does not carry one. */

const SCRIPTS: readonly (readonly [RegExp, string])[] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 'ja'],
  [/\p{Script=Hangul}/u, 'ko'],
  [/\p{Script=Han}/u, 'zh'],
  [/\p{Script=Hebrew}/u, 'he'],
  [/\p{Script=Arabic}/u, 'ar'],
  [/\p{Script=Devanagari}/u, 'hi'],
]

/** BCP 47 tag of a script that most of the words are in; `und` for alphabets that many languages share. */
export function languageOf(words: readonly string[]): string {
  for (const [script, language] of SCRIPTS) {
    const count = words.filter((word) => script.test(word)).length
    if (count * (language === 'ja' ? 5 : 2) > words.length) return language
  }
  return 'und'
}
