import { declareCommand, edited, refused, rule } from './declare.ts'

/** The card shows the clip's own name, unless it was given a text: then that changes too. */
export const titleText = declareCommand({
  name: 'title_text',
  examples: ['change the title to “Three times”', 'call it “The point”'],
  rules: [
    rule(
      '(?:{set}|rename|edit|write|name) (?:the |this )?(?:{title}|clip|text of the title)(?: text)? (?:to|as|into|to say|say|:) {text:PHRASE}',
      titled,
    ),
    rule('(?:the )?{title}(?: text)? (?:is|should be|should say|says|shall be|:|to) {text:PHRASE}', titled),
    rule('(?:{set}|let) (?:the )?{title} (?:to )?(?:say|read) {text:PHRASE}', titled),
    rule(
      '(?:call|name|title|rename) (?:it|this|the clip|this clip|this one)(?: to| as)? {text:PHRASE}',
      titled,
    ),
    rule('(?:{set} )?(?:the )?{title} {text:QUOTED}', titled),
    rule(
      'add (?:the |a )?{title}(?: (?:that says|saying|with(?: the text)?|reading|:))? {text:QUOTED}',
      titled,
    ),
  ],
  run(edit, _context, { text }) {
    const title = text.trim()
    if (title === '') return refused('Say what the title shall be.')
    const { text: own } = edit.titleConfig
    const config =
      typeof own === 'string' && own.trim() !== '' ? { ...edit.titleConfig, text: title } : edit.titleConfig
    if (edit.title === title && config === edit.titleConfig) return refused(`That is its title already.`)
    return edited({ ...edit, title, titleConfig: config }, `The title is “${title}”.`)
  },
})

function titled(found: { readonly text: (name: string) => string | null }) {
  const text = found.text('text')
  // "Change the title to the neon look" is about its look, "title off" about whether it is there.
  return text === null ||
    /^(?:off|on|away|hidden|shown)$|(?:preset|style|look|palette|colou?rs)$/iu.test(text)
    ? null
    : { text }
}
