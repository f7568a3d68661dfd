/** What a route tells the OpenAPI document about its answer and its parameters. */
import type { TObject, TSchema } from '@sinclair/typebox'
import type { DocumentDecoration } from 'elysia'

const CONTENT = 'application/json'

/** `detail` of a route: summary, query parameters, the schema of its 200 answer. */
export function describe(
  summary: string,
  answer: TSchema,
  options: { query?: TObject; body?: { requestBody: unknown }; description?: string } = {},
): DocumentDecoration {
  const required: readonly string[] = options.query?.required ?? []
  // TypeBox schemas are JSON Schema 2020-12, which OpenAPI 3.1 takes; Elysia's type is of 3.0.
  const detail: Record<string, unknown> = {
    summary,
    ...(options.description === undefined ? {} : { description: options.description }),
    ...options.body,
    ...(options.query === undefined
      ? {}
      : {
          parameters: Object.entries(options.query.properties).map(([name, schema]) => ({
            name,
            in: 'query',
            required: required.includes(name),
            schema,
          })),
        }),
    responses: { 200: { description: 'Done', content: { [CONTENT]: { schema: answer } } } },
  }
  return detail
}
