/** PURE: the editable fields of an update as a caller sends them: which fields there are, under which names. */
import { AppError } from '../../contract/errors.ts'
import { EditableClip, FIELD_ALIASES } from '../../contract/update-clip.ts'
import { valueProblem } from '../../nodes/judge-values.ts'

type Json = Readonly<Record<string, unknown>>

const AROUND: ReadonlySet<string> = new Set(['companyId', 'clipId', 'updates', 'merge'])

/** The refusal of a value; `path` has dots between names. */
export function invalidUpdate(path: string, expected: string): AppError {
  const [field = ''] = path.split('.')
  return new AppError('INVALID_CLIP_UPDATE', {
    message: `"${path}" should be ${expected}.`,
    details: { field, path, expected },
  })
}

/**
 * The fields at the top level and in `updates`, which wins; a field that is null counts as not sent. Throws
 * UNSUPPORTED_CLIP_FIELDS for any other field, and INVALID_CLIP_UPDATE when there is none or one has a wrong value.
 */
export function readClipUpdates(body: Json): EditableClip {
  const beside = Object.fromEntries(Object.entries(body).filter(([name]) => !AROUND.has(name)))
  const inside = (body['updates'] ?? {}) as Json
  refuseUnsupported([...Object.keys(beside), ...Object.keys(inside)])
  const updates = { ...underOneName(beside), ...underOneName(inside) }
  if (Object.keys(updates).length === 0)
    throw new AppError('INVALID_CLIP_UPDATE', {
      message: 'There is no field to update; give at least one of those that can be edited.',
      details: { field: 'updates', expected: `one of ${Object.keys(EditableClip.properties).join(', ')}` },
    })
  const problem = valueProblem(EditableClip, updates)
  if (problem !== null) throw invalidUpdate(problem.path, problem.expected)
  return updates
}

function refuseUnsupported(names: readonly string[]): void {
  const known = (name: string): boolean =>
    Object.hasOwn(EditableClip.properties, name) || Object.hasOwn(FIELD_ALIASES, name)
  const fields = [...new Set(names.filter((name) => !known(name)))].map((name) => name.slice(0, 100))
  if (fields.length === 0) return
  throw new AppError('UNSUPPORTED_CLIP_FIELDS', {
    message: `These fields cannot be edited: ${fields.slice(0, 10).join(', ')}.`,
    details: { fields: fields.slice(0, 100) },
  })
}

/** Without nulls, and under the name that the document uses; that name wins over an alias of it. */
function underOneName(fields: Json): Record<string, unknown> {
  const updates: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(fields)) {
    if (value === null) continue
    const alias = Object.hasOwn(FIELD_ALIASES, name) ? FIELD_ALIASES[name] : undefined
    if (alias === undefined) updates[name] = value
    else if ((fields[alias] ?? null) === null) updates[alias] = value
  }
  return updates
}
