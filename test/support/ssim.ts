/** Structural likeness of pictures, by the bundled ffmpeg. */
import { runTool } from '../../workers/media/run-tool.ts'
import { bundledTools } from './stage-harness.ts'

/** SSIM of all frames of two files, 0 to 1. `filters`: what each goes through before. */
export async function measureSsim(
  one: string,
  other: string,
  filters: readonly [one: string, other: string] = ['null', 'null'],
): Promise<number> {
  const graph = `[0:v]${filters[0]}[a];[1:v]${filters[1]}[b];[a][b]ssim`
  const inputs = ['-hide_banner', '-nostats', '-i', one, '-i', other]
  const args = [...inputs, '-filter_complex', graph, '-f', 'null', '-']
  const { stderr } = await runTool({ executable: bundledTools().ffmpeg, args, timeoutSeconds: 600 })
  return Number(/All:([\d.]+)/.exec(stderr)?.[1])
}
