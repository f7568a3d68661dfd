/** Components take what people read from the catalogues in this folder, and hold no text of their own. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, type AST } from 'svelte/compiler'
import { expect, it } from 'vitest'

const RENDERER = join(import.meta.dirname, '..')
/** Attributes, and properties of our own components, that people read or hear. */
const READ = new Set([
  'alt',
  'aria-label',
  'heading',
  'hint',
  'label',
  'placeholder',
  'text',
  'title',
  'what',
])
/** Elements whose text is the name of a key, or what is typed into a terminal: the same in every language. */
const LITERAL = new Set(['code', 'kbd', 'style'])
/** What an address begins with is no word. */
const NO_WORDS = new Set(['https://', 'https://…'])

const hasWords = (text: string): boolean => /\p{L}/u.test(text) && !NO_WORDS.has(text.trim())

type Expression = { readonly type: string } & Readonly<Record<string, unknown>>

/** Texts that an expression may come to: its literals, those of its branches, and of its templates. */
function textsOf(expression: Expression): string[] {
  switch (expression.type) {
    case 'Literal':
      return typeof expression['value'] === 'string' ? [expression['value']] : []
    case 'TemplateLiteral':
      return (expression['quasis'] as { value: { cooked: string } }[]).map(({ value }) => value.cooked)
    case 'ConditionalExpression':
      return [expression['consequent'], expression['alternate']].flatMap((one) => textsOf(one as Expression))
    case 'LogicalExpression':
      return [expression['left'], expression['right']].flatMap((one) => textsOf(one as Expression))
    default:
      return []
  }
}

type Part = AST.Text | AST.ExpressionTag

const wordsIn = (part: Part): string[] =>
  (part.type === 'Text' ? [part.data] : textsOf(part.expression as unknown as Expression)).filter(hasWords)

/** Everything that people read in the markup of a component and that is written there. */
function literalsOf(source: string): string[] {
  const found: string[] = []
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(visit)
    if (typeof node !== 'object' || node === null || !('type' in node)) return
    const one = node as AST.TemplateNode
    if (one.type.endsWith('Directive') || (one.type === 'RegularElement' && LITERAL.has(one.name))) return
    if (one.type === 'Text' || one.type === 'ExpressionTag') found.push(...wordsIn(one))
    if (one.type === 'Attribute') {
      if (!READ.has(one.name) || one.value === true) return
      found.push(...[one.value].flat().flatMap(wordsIn))
      return
    }
    Object.values(one).forEach(visit)
  }
  visit(parse(source, { modern: true }).fragment)
  return found.map((text) => text.trim())
}

/** The pages about the APIs are made of what the APIs’ own documents say. */
const components = globSync('**/*.svelte', { cwd: RENDERER }).filter(
  (path) => !/^api-docs\//.test(path.replaceAll('\\', '/')),
)

it('finds text in markup, in attributes and in branches of expressions', () => {
  const source = `<p title="One">Two {more ? 'three' : \`four \${count}\`}<kbd>K</kbd></p>{#if a === 'b'}{text}{/if}`
  expect(literalsOf(source)).toEqual(['One', 'Two', 'three', 'four'])
})

it('finds none in the components of the studio', () => {
  expect(components.length).toBeGreaterThan(100)
  const literals = components.flatMap((path) =>
    literalsOf(readFileSync(join(RENDERER, path), 'utf8')).map((text) => `${path}: ${text}`),
  )
  expect(literals).toEqual([])
})
