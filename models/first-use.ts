/**
 * The first use of a model that works with text or speech, as the product uses it: tokenizer or sound features, several
 * at once, of real lengths. A model can run on the smallest input and fail on these. Plain JavaScript for a child process
 * of its own, with the arguments: path of transformers.js, folder of the models, name of the model, precisions as JSON.
 */
const LOAD = `
const { env, pipeline, cat } = require(process.argv[1])
env.allowRemoteModels = false
env.localModelPath = process.argv[2]
const open = (task, graphOptimizationLevel) => pipeline(task, process.argv[3], {
  dtype: JSON.parse(process.argv[4]), device: 'cpu', local_files_only: true,
  session_options: { graphOptimizationLevel, logSeverityLevel: 4 },
})
const openAny = (task) => open(task, 'all').catch(() => open(task, 'basic'))
const end = (work) => work.then(() => process.exit(0), (error) => { process.stderr.write(String(error.message)); process.exit(1) })
`

const EMBED = `${LOAD}
const texts = Array.from({ length: 16 }, (_, index) => 'many different words '.repeat(index === 15 ? 300 : 10 + index))
end(openAny('feature-extraction').then(async (extract) => {
  const { dims, data } = await extract(texts, { pooling: 'mean', normalize: true })
  if (dims[0] !== texts.length) throw new Error('of several texts it does not give a vector each')
  if (!data.every(Number.isFinite)) throw new Error('its vectors are not numbers')
}))
`

const TRANSCRIBE = `${LOAD}
const noise = Float32Array.from({ length: 80000 }, (_, index) => Math.sin(index * index) / 50)
end(openAny('automatic-speech-recognition').then(async ({ processor, model }) => {
  const { input_features } = await processor(noise)
  const start = model.generation_config.decoder_start_token_id ?? model.config.decoder_start_token_id
  const inputs = cat([input_features, input_features], 0)
  const { dims } = await model.generate({ inputs, decoder_input_ids: [[start], [start]], max_new_tokens: 8 })
  if (dims[0] !== 2) throw new Error('of several windows it does not give a text each')
}))
`

/** The script for a task; tasks that are not listed are tried by their graphs alone. */
export const FIRST_USES: Readonly<Partial<Record<string, string>>> = {
  'text-embedding': EMBED,
  speech: TRANSCRIBE,
}
