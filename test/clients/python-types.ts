/** Python's types of an OpenAPI document's schemas: a TypedDict for each object, an alias for everything else. */

interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly enum?: readonly string[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema | boolean
  readonly description?: string
}

/** These cannot be fields of a class. */
const KEYWORDS = new Set(['from', 'class', 'import', 'global', 'in', 'is', 'not', 'or', 'and', 'pass', 'def'])

const SCALARS: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
}

const HEADER = `"""Types of the public API, made of its OpenAPI document: \`npm run check:clients -- --write\`."""
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, Union
`

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)
const classOf = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .map(capital)
    .join('')
const literal = (value: unknown): string => (value === null ? 'None' : JSON.stringify(value))
const quoted = (text: string): string => JSON.stringify(text)
const union = (kinds: readonly string[]): string => {
  const different = [...new Set(kinds)]
  return different.length === 1 ? (different[0] ?? 'Any') : `Union[${different.join(', ')}]`
}

/** Writes the classes that one type needs, innermost first, and answers the type. */
class PythonTypes {
  readonly #written: string[] = []
  /** Classes of which the base is looked up when the module is read: they come last. */
  readonly #derived: string[] = []

  /** The type of a schema; `name` is what an object without a name of its own is called. */
  #typeOf(schema: Schema, name: string): string {
    const { anyOf, oneOf, allOf, items, properties } = schema
    const reference = schema.$ref
    if (reference !== undefined) return quoted(classOf(reference.slice(reference.lastIndexOf('/') + 1)))
    if (schema.enum !== undefined) return `Literal[${schema.enum.map(literal).join(', ')}]`
    if ('const' in schema) return schema.const === null ? 'None' : `Literal[${literal(schema.const)}]`
    const alternatives = anyOf ?? oneOf
    if (alternatives !== undefined) {
      // Null is no alternative that a class is named for.
      const several = alternatives.filter(({ type }) => type !== 'null').length > 1
      return union(alternatives.map((one, at) => this.#typeOf(one, several ? `${name}${at + 1}` : name)))
    }
    if (allOf !== undefined) return this.#typeOfAll(allOf, name)
    if (schema.type === 'array') return `list[${this.#typeOf(items ?? {}, `${name}Item`)}]`
    if (properties !== undefined) {
      this.#written.push(this.#classText(name, schema))
      return quoted(name)
    }
    if (schema.type === 'object') {
      const rest = schema.additionalProperties
      return `dict[str, ${typeof rest === 'object' ? this.#typeOf(rest, `${name}Value`) : 'Any'}]`
    }
    return SCALARS[schema.type ?? ''] ?? 'Any'
  }

  /** A reference, with members of its own or only with more rules. */
  #typeOfAll([base = {}, more]: readonly Schema[], name: string): string {
    const type = this.#typeOf(base, name)
    if (more?.properties === undefined) return type
    this.#derived.push(this.#classText(name, more, JSON.parse(type) as string))
    return quoted(name)
  }

  #classText(
    name: string,
    { properties = {}, required = [], description }: Schema,
    base = 'TypedDict',
  ): string {
    const fields = Object.entries(properties).map(([key, inner]) => {
      const type = this.#typeOf(inner, `${name}${classOf(key)}`)
      // The client fills the company in.
      const there = required.includes(key) && key !== 'companyId'
      return { key, type: there ? type : `NotRequired[${type}]`, description: inner.description }
    })
    if (fields.some(({ key }) => KEYWORDS.has(key))) {
      const entries = fields.map(({ key, type }) => `    ${quoted(key)}: ${type},`)
      return `${name} = TypedDict(\n    "${name}",\n    {\n    ${entries.join('\n    ')}\n    },\n)`
    }
    const lines = fields.flatMap(({ key, type, description: words }) => [
      `    ${key}: ${type}`,
      ...(words === undefined ? [] : [`    ${quoted(words).replaceAll('\\"', "'")}`]),
    ])
    const words = description === undefined ? [] : [`    ${quoted(description).replaceAll('\\"', "'")}`]
    return [`class ${name}(${base}):`, ...words, ...(lines.length === 0 ? ['    pass'] : lines)].join('\n')
  }

  /** Writes what has a name in the document. */
  write(name: string, schema: Schema): void {
    const own = classOf(name)
    const type = this.#typeOf(schema, own)
    // What has written a class of that name needs no alias.
    if (type !== quoted(own)) this.#written.push(`${own} = ${type}`)
  }

  text(): string {
    return `${HEADER}\n\n${[...this.#written, ...this.#derived].join('\n\n\n')}\n`
  }
}

/** The module of types of a document. */
export function pythonTypes(document: { components: { schemas: Record<string, object> } }): string {
  const types = new PythonTypes()
  for (const [name, schema] of Object.entries(document.components.schemas)) types.write(name, schema)
  return types.text()
}
