/** Arguments of tools that measure downloaded files. PURE. */
import { inputFile, inputGuard, listArguments } from './input.ts'

/** Measures a stream's loudness from beginning to end: ebur128's summary on stderr. */
export function fileLoudnessArguments(path: string, stream: number): string[] {
  return listArguments`
    -hide_banner -nostdin -nostats -loglevel info ${inputGuard()} -vn -sn -dn -i ${inputFile(path)}
    -map 0:${stream} -af ebur128=framelog=verbose -f null -
  `
}
