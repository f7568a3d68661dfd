/** Versions of the tools, read once per process. */
import { runTool } from './run-tool.ts'

const texts = new Map<string, Promise<string>>()

/** The output of `-version`: the version, the build configuration, and the versions of the libraries. */
export function readVersionText(executable: string): Promise<string> {
  const known = texts.get(executable)
  if (known !== undefined) return known
  const text = runTool({ executable, args: ['-version'], timeoutSeconds: 30 }).then(({ stdout }) =>
    stdout.toString('utf8'),
  )
  texts.set(executable, text)
  text.catch(() => texts.delete(executable))
  return text
}

/** The first line of that output without the copyright notice. */
export function formatVersionLine(text: string): string {
  return (text.split('\n')[0] ?? '').replace(/ Copyright.*/, '').trim()
}
