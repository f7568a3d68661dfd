import { cursesOf, cutWordsOut } from '../../../../server/nodes/editing/speech-cuts.ts'
import { declareCommand, edited, refused, rule } from './declare.ts'
import { isOn, nodeConfig, withNode } from './nodes.ts'

const CURSES =
  '(?:all )?(?:of )?(?:the |any |every |my )?(?:curse words?|curses?|cuss words?|cussing|cursing|swear words?|swears?|swearing|profanit(?:y|ies)|bad words?|bad language|foul language|f-bombs?|expletives?|explicit words?)'

/** Covering sound is the node's work; cut words are cuts like others, to be put back one by one. */
export const curseWords = declareCommand({
  name: 'curse_words',
  examples: ['bleep the curse words', 'cut the swear words out'],
  rules: [
    rule(`(?:beep|bleep|censor)(?: out)? ${CURSES}`, () => ({ how: 'beep' as const })),
    rule(`(?:silence|mute) ${CURSES}`, () => ({ how: 'silence' as const })),
    rule(
      `(?:stop (?:beeping|bleeping|censoring|muting)|unmute|uncensor|keep|allow|do not (?:beep|bleep|censor)|don't (?:beep|bleep|censor|mute)) ${CURSES}`,
      () => ({
        how: 'keep' as const,
      }),
    ),
    rule(`{cut} (?:out )?${CURSES}(?: out)?`, () => ({ how: 'cut' as const })),
    rule('make it (?:clean|family[ -]friendly|safe for work)', () => ({ how: 'beep' as const })),
  ],
  run(edit, context, { how }) {
    if (how === 'keep')
      return isOn(edit, context, 'remove_curse_words')
        ? edited(
            withNode(edit, context, 'remove_curse_words', { on: false }),
            'Curse words are heard as they were said.',
          )
        : refused('Curse words are heard as they were said already.')
    const heard = new Set([...cursesOf(context)].filter((at) => context.heard(edit.cut, at)))
    if (heard.size === 0) return refused('No curse words are heard in this clip.')
    const count = heard.size === 1 ? 'one curse word' : `${heard.size} curse words`
    if (how === 'cut') {
      const { cut, dropped } = cutWordsOut(edit.cut, heard, context, true)
      return dropped.size === 0
        ? refused('They cannot be cut without hurting the words beside them; bleep them instead.')
        : edited({ ...edit, cut }, `Cut ${count}.`)
    }
    const { remove_curse_words_config: inner } = nodeConfig(edit, context, 'remove_curse_words')
    const before = typeof inner === 'object' && inner !== null ? inner : {}
    const config = { remove_curse_words_config: { ...before, enabled: true, mode: how } }
    const next = withNode(edit, context, 'remove_curse_words', { on: true, config })
    return edited(next, `${how === 'beep' ? 'Bleeped' : 'Silenced'} ${count}; captions mask them.`)
  },
})
