/**
 * Captions as TTML 1 (https://www.w3.org/TR/ttml1/) and as EBU-TT-D, its profile for European broadcasters (EBU Tech 3380):
 * white on black in the lower third, centred. PURE.
 */
import { formatTime } from '../../workers/stages/transcript-file/pure/clip-files.ts'
import { captionCues, type EditedTranscript } from './words.ts'
import { escapeXml } from './xml.ts'

const NAMES = [
  'xmlns="http://www.w3.org/ns/ttml"',
  'xmlns:tts="http://www.w3.org/ns/ttml#styling"',
  'xmlns:ttp="http://www.w3.org/ns/ttml#parameter"',
  'xmlns:ttm="http://www.w3.org/ns/ttml#metadata"',
].join(' ')

export function writeTtml(transcript: EditedTranscript): string {
  return document(transcript, {
    names: NAMES,
    head: `<metadata><ttm:title>${escapeXml(transcript.title)}</ttm:title></metadata>`,
    text: 'tts:fontFamily="proportionalSansSerif" tts:fontSize="100%" tts:lineHeight="normal" tts:color="#ffffff" tts:backgroundColor="#000000c2"',
    paragraph: 'tts:textAlign="center"',
  })
}

export function writeEbuTtD(transcript: EditedTranscript): string {
  const conforms = 'urn:ebu:tt:distribution:2018-04'
  return document(transcript, {
    names: `${NAMES} xmlns:ebuttm="urn:ebu:tt:metadata" xmlns:ebutts="urn:ebu:tt:style"`,
    head: `<metadata><ttm:title>${escapeXml(transcript.title)}</ttm:title><ebuttm:documentMetadata><ebuttm:conformsToStandard>${conforms}</ebuttm:conformsToStandard></ebuttm:documentMetadata></metadata>`,
    text: 'tts:fontFamily="Verdana,Arial,Tiresias,sansSerif" tts:fontSize="160%" tts:lineHeight="125%" tts:color="#ffffff" tts:backgroundColor="#000000c2"',
    paragraph: 'tts:textAlign="center" ebutts:linePadding="0.5c"',
  })
}

interface Look {
  /** Namespaces. */
  readonly names: string
  readonly head: string
  /** Of what is written, and of its paragraphs. */
  readonly text: string
  readonly paragraph: string
}

function document(transcript: EditedTranscript, { names, head, text, paragraph }: Look): string {
  const cues = captionCues(transcript).map(({ start, end, text: shown }, index) => {
    const lines = shown.split('\n').map((line) => `<span style="text">${escapeXml(line)}</span>`)
    return `      <p xml:id="c${index + 1}" begin="${formatTime(start, '.')}" end="${formatTime(end, '.')}">${lines.join('<br/>')}</p>`
  })
  const language = transcript.language === 'und' ? '' : escapeXml(transcript.language)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<tt ${names} ttp:timeBase="media" ttp:cellResolution="50 30" xml:lang="${language}">`,
    '  <head>',
    `    ${head}`,
    '    <styling>',
    `      <style xml:id="text" ${text}/>`,
    `      <style xml:id="paragraph" ${paragraph}/>`,
    '    </styling>',
    '    <layout>',
    '      <region xml:id="bottom" tts:origin="10% 70%" tts:extent="80% 20%" tts:displayAlign="after" tts:overflow="visible"/>',
    '    </layout>',
    '  </head>',
    '  <body>',
    '    <div region="bottom" style="paragraph">',
    ...cues,
    '    </div>',
    '  </body>',
    '</tt>',
    '',
  ].join('\n')
}
