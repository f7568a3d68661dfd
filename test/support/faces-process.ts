/** The stage `faces` as a process of its own, to be killed by tests: `node faces-process.ts ROOT VIDEO MODELS SECONDS`. */
import { runFaces } from '../../workers/stages/faces/stage.ts'
import { runStageForTest } from './stage-harness.ts'

const [root = '', source = '', models = '', seconds = ''] = process.argv.slice(2)
const ranges = [{ start: 0, end: Number(seconds) }]
const params = { ranges, streamIndex: 0, width: 1280, height: 720, hdr: false }
process.stdout.write('ready\n')
await runStageForTest(runFaces as Parameters<typeof runStageForTest>[0], params, {
  root,
  inputs: { source },
  modelFolders: [models],
  onCheckpoint: (position) => process.stdout.write(`${position}\n`),
})
