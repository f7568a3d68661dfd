/**
 * What a render tells besides its file: each place that knows of a loss names it by a code of this registry, the setting
 * that it is about, and a sentence.
 */

/** Codes of losses, for programs, with what each one means; a code keeps its meaning. */
export const LOSSES = {
  FONT_NOT_FOUND: 'a font is not here; another one is used',
  FILE_LEFT_OUT: 'a file could not be fetched or cannot be used, and is left out',
  FILE_NOT_NAMED: 'a setting that needs a file names none',
  VALUE_IGNORED: 'a value means nothing there and is ignored',
  NAME_UNKNOWN: 'there is nothing of that name; what is usual is taken',
  NEVER_SHOWN: 'something is set so that it is never seen or heard',
  SHORTENED: 'something was longer than may be, and was cut',
  PROMPT_NOT_FOLLOWED: 'no language model was there to follow a prompt',
  NOT_MEASURED: 'what a setting needs was not measured when the clip was made; a new run measures it',
  NOTHING_FOUND: 'a setting found nothing in the clip that it could act on',
  LANGUAGE_NOT_SUPPORTED: 'a setting does not know the language of the clip',
  SOURCE_DAMAGED: 'a part of the source could not be read',
} as const satisfies Record<string, string>
export type LossCode = keyof typeof LOSSES

/** `code`: null where nothing is lost. `field`: the setting of the clip or node; null where it is of none. */
export interface RenderRemark {
  readonly code: LossCode | null
  readonly field: string | null
  readonly message: string
}

export type Warn = (code: RenderRemark['code'], field: RenderRemark['field'], message: string) => void

export const remark = (
  code: RenderRemark['code'],
  field: RenderRemark['field'],
  message: string,
): RenderRemark => ({ code, field, message })

/** Adds to this list, each remark once. */
export const warnTo =
  (list: RenderRemark[]): Warn =>
  (code, field, message) => {
    if (!list.some((one) => one.field === field && one.message === message))
      list.push(remark(code, field, message))
  }

/** The sentences alone, for people, each once. */
export const sentencesOf = (remarks: readonly RenderRemark[]): string[] => [
  ...new Set(remarks.map(({ message }) => message)),
]
