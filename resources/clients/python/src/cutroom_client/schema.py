"""Types of the public API, made of its OpenAPI document: `npm run check:clients -- --write`."""
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, Union


class TriggerRequestPinnedTimestampsItem(TypedDict):
    start: float
    end: float


class TriggerRequest(TypedDict):
    companyId: NotRequired[str]
    workflowId: str
    url: str
    "Publicly reachable long-form video, or the address of an upload (POST /uploads)"
    orientation: NotRequired[Union[Literal["horizontal", "vertical"], None]]
    minLengthTarget: NotRequired[Union[float, None]]
    "Seconds"
    maxLengthTarget: NotRequired[Union[float, None]]
    "Seconds"
    broll: NotRequired[Union[Union[bool, dict[str, Any]], None]]
    subtitles: NotRequired[Union[bool, None]]
    subtitleConfig: NotRequired[Union["SubtitleConfig", None]]
    "Caption styling"
    titleOverlay: NotRequired[Union[bool, None]]
    titleConfig: NotRequired[Union["TitleConfig", None]]
    "Headline text and styling"
    watermarkUrl: NotRequired[Union[str, None]]
    keywords: NotRequired[Union[list[str], None]]
    promptAdjustment: NotRequired[Union[str, None]]
    pinnedTimestamps: NotRequired[Union[list["TriggerRequestPinnedTimestampsItem"], None]]
    pinnedTimestampsOnly: NotRequired[Union[bool, None]]
    pinnedTimestampMode: NotRequired[Union[Literal["search_within", "ranges"], None]]
    musicUrl: NotRequired[Union[str, None]]
    removeFillerWords: NotRequired[Union[bool, None]]
    removeStutteredWords: NotRequired[Union[bool, None]]
    removeSilences: NotRequired[Union[bool, None]]
    outroImageUrl: NotRequired[Union[str, None]]
    outroMusicUrl: NotRequired[Union[str, None]]
    nodeConfigs: NotRequired[Union["NodeConfigs", None]]
    nodeConfigOverrides: NotRequired[Union["NodeConfigs", None]]
    actionConfigs: NotRequired[Union["NodeConfigs", None]]
    metadata: NotRequired[Union["Metadata", None]]
    "Names and values of your own, at most 16, of up to 40 and 500 characters; they are stored and answered, and change nothing"


class TriggerAnswer(TypedDict):
    triggerId: str
    status: Literal["pending"]
    message: str


class Run(TypedDict):
    status: "RunStatus"
    clips: list["RunClip"]
    error: NotRequired[str]
    code: NotRequired[str]
    waitsFor: NotRequired[Literal["disk", "model", "source", "network", "queue", "store"]]
    readyAt: NotRequired[str]
    "When it will be done, by what such work took on this machine before; it is seen anew while it goes on. Absent: nobody can tell yet, or it does not go on"
    progress: float
    stage: str
    warnings: list[str]
    startedAt: Union[str, None]
    finishedAt: Union[str, None]
    metadata: "Metadata"


RunStatus = Literal["Pending", "Processing", "Learning", "Completed", "Error"]


class ListedRun(TypedDict):
    triggerId: str
    workflowId: str
    url: str
    "The video, as it was given"
    status: "RunStatus"
    progress: float
    "0 to 1"
    stage: str
    error: NotRequired[str]
    "A sentence for a person, where the status is Error"
    code: NotRequired[str]
    waitsFor: NotRequired[Literal["disk", "model", "source", "network", "queue", "store"]]
    readyAt: NotRequired[str]
    "When it will be done, by what such work took on this machine before; it is seen anew while it goes on. Absent: nobody can tell yet, or it does not go on"
    createdAt: str
    startedAt: Union[str, None]
    finishedAt: Union[str, None]
    metadata: "Metadata"


class RunsAnswer(TypedDict):
    runs: list["ListedRun"]
    cursor: Union[str, None]
    "Of the next page; null: this is the last"


class RunCancelAnswer(TypedDict):
    triggerId: str
    status: Literal["success"]
    message: str


class RunClipTimestampBoundary(TypedDict):
    start: float
    end: float


class RunClip(TypedDict):
    id: str
    title: str
    bio: str
    keywords: list[str]
    people: list[str]
    duration: float
    "Seconds of the clip as it plays"
    startTimestamp: float
    "Seconds in the source"
    endTimestamp: float
    "Seconds in the source"
    segments: list["ClipSegment"]
    "The pieces that the clip consists of, in seconds of the clip as it plays, each where the one before it ends; empty when nothing is left out"
    timestampBoundary: "RunClipTimestampBoundary"
    aspectRatio: str
    renderedUrl: NotRequired[str]
    rawUrl: NotRequired[str]
    thumbnailURL: NotRequired[str]
    transcriptUrl: NotRequired[str]
    fps: float
    videoHeight: int
    videoResolution: str
    viralityScore: float
    relevance: NotRequired[int]
    "How much of the prompt and the keywords the clip is about; absent where nothing was requested"
    metadata: "Metadata"
    "As it was set on the clip"
    chunkIndex: NotRequired[int]
    "Livestream clips: the chunk that the times count in, from 0"


class Upload(TypedDict):
    id: str
    url: str
    "Its address: where pieces go, and what a trigger takes as `url`"
    title: str
    "The name of the file, as `filename` of Upload-Metadata gave it"
    bytes: int
    "Of the whole file"
    offset: int
    "How many of the bytes are there, and so where the next piece begins"
    complete: bool
    "All bytes are there: a trigger can name it"
    expiresAt: str
    "When it can no longer be continued or named: a day after its last piece"


Metadata = dict[str, str]


class ClipTimestampBoundary(TypedDict):
    start: float
    end: float


class ClipPlayedRangesItem(TypedDict):
    start: float
    end: float
    playbackRate: NotRequired[float]


class ClipBoundaries(TypedDict):
    start: "ClipBoundary"
    end: "ClipBoundary"


class Clip(TypedDict):
    id: str
    title: str
    bio: str
    keywords: list[str]
    people: list[str]
    duration: float
    "Seconds of the clip as it plays"
    startTimestamp: float
    "Seconds in the source"
    endTimestamp: float
    "Seconds in the source"
    segments: list["ClipSegment"]
    "The pieces that the clip consists of, in seconds of the clip as it plays, each where the one before it ends; empty when nothing is left out"
    timestampBoundary: "ClipTimestampBoundary"
    aspectRatio: str
    renderedUrl: NotRequired[str]
    rawUrl: NotRequired[str]
    thumbnailURL: NotRequired[str]
    transcriptUrl: NotRequired[str]
    fps: float
    videoHeight: int
    videoResolution: str
    viralityScore: float
    relevance: NotRequired[int]
    "How much of the prompt and the keywords the clip is about; absent where nothing was requested"
    metadata: "Metadata"
    "As it was set on the clip"
    chunkIndex: NotRequired[int]
    "Livestream clips: the chunk that the times count in, from 0"
    url: NotRequired[str]
    publicURL: NotRequired[str]
    extendedClipURL: NotRequired[str]
    renderedThumbnailUrl: NotRequired[str]
    wordTranscriptJSON: NotRequired[str]
    transcriptSrtUrl: NotRequired[str]
    transcriptVttUrl: NotRequired[str]
    peaksUrl: NotRequired[str]
    companyId: NotRequired[str]
    workflowId: str
    runId: NotRequired[str]
    runMetadata: "Metadata"
    "As the run was started with it"
    taskId: str
    sourceId: str
    "Of a livestream: the whole event, `live_` and more"
    sourceInputId: str
    clipHash: str
    createdAt: str
    updatedAt: str
    normalizedUrl: NotRequired[str]
    originalUrl: str
    sourceUrl: NotRequired[str]
    episodeOffsetSeconds: NotRequired[float]
    "Livestream clips: where the clip begins in the whole event, seconds"
    playedRanges: list["ClipPlayedRangesItem"]
    "What is played, in seconds of the source, in order"
    speakers: list[str]
    scoreReasons: list["ScoreReason"]
    whyPicked: str
    boundaries: "ClipBoundaries"
    subtitleConfig: NotRequired[dict[str, Any]]
    subtitleId: NotRequired[str]
    subtitleY: NotRequired[float]
    titleConfig: NotRequired[dict[str, Any]]
    watermarkConfig: NotRequired[dict[str, Any]]
    backgroundMusicOption: NotRequired[dict[str, Any]]
    endCardOption: NotRequired[dict[str, Any]]
    motionConfig: NotRequired[dict[str, Any]]
    deliveryConfig: NotRequired[dict[str, Any]]
    soundConfig: NotRequired[dict[str, Any]]
    warnings: NotRequired[list["RenderWarning"]]
    "What this render lost; left out where it lost nothing"


class ClipAnswer(TypedDict):
    clip: "Clip"


class ClipDeleteAnswer(TypedDict):
    clipId: str
    status: Literal["success"]


class ClipSegment(TypedDict):
    startSeconds: float
    endSeconds: float
    playbackRate: NotRequired[float]


class ClipBoundary(TypedDict):
    sentenceEdge: bool
    pauseSeconds: float


class ScoreReason(TypedDict):
    name: Literal["completeness", "hook", "flow", "value", "emotion", "ending", "results"]
    score: float
    reason: str


class ClipUpdateUpdatesTimestampBoundary(TypedDict):
    start: float
    end: float


class ClipUpdateUpdatesMotionConfigCutsItem(TypedDict):
    "The transition at one cut, in place of the usual one"
    at: float
    "Source second of the cut: any that is left out there, or its edges"
    transition: Literal["none", "cross_fade", "whip", "zoom", "dip"]
    seconds: NotRequired[float]
    "Seconds that it takes (default 0.4)"
    color: NotRequired[Literal["black", "white"]]
    "Colour that it goes through, of a dip"
    sound: NotRequired[Literal["none", "whoosh", "hit", "riser", "pop"]]
    "Sound effect at it"


class ClipUpdateUpdatesMotionConfigSoundsItem(TypedDict):
    "A sound effect"
    sound: Literal["whoosh", "hit", "riser", "pop"]
    at: float
    "Source second: of its peak, or of where it leads to"
    volume: NotRequired[float]
    "Loudness, 0 to 1"


class ClipUpdateUpdatesMotionConfigKeyframesItemPointsItemCurve(TypedDict):
    "The way to the next one as a cubic Bézier curve, in place of easing: x1 and x2 are shares of the time, y1 and y2 of the way"
    x1: float
    y1: float
    x2: float
    y2: float


class ClipUpdateUpdatesMotionConfigKeyframesItemPointsItem(TypedDict):
    time: float
    "Source second"
    value: float
    easing: NotRequired[Literal["linear", "ease_in", "ease_out", "ease_in_out", "hold"]]
    "The way to the next one"
    curve: NotRequired["ClipUpdateUpdatesMotionConfigKeyframesItemPointsItemCurve"]
    "The way to the next one as a cubic Bézier curve, in place of easing: x1 and x2 are shares of the time, y1 and y2 of the way"


class ClipUpdateUpdatesMotionConfigKeyframesItem(TypedDict):
    "A property of a layer over time"
    layer: str
    "Id of the layer or track: title, captions, watermark, music, overlay:ID, or that of b-roll"
    property: Literal["styles.face.fontSize", "styles.face.lineHeight", "styles.face.letterSpacing", "styles.face.outline.width", "styles.face.shadow.blur", "styles.face.shadow.offsetX", "styles.face.shadow.offsetY", "styles.backdrop.opacity", "styles.backdrop.paddingX", "styles.backdrop.paddingY", "styles.backdrop.radius", "styles.backdrop.shadow.blur", "styles.backdrop.shadow.offsetX", "styles.backdrop.shadow.offsetY", "styles.spoken.opacity", "styles.spoken.restOpacity", "styles.spoken.scale", "styles.xPercent", "styles.yPercent", "styles.wrapWidthPercent", "face.fontSize", "face.lineHeight", "face.letterSpacing", "face.outline.width", "face.shadow.blur", "face.shadow.offsetX", "face.shadow.offsetY", "backdrop.opacity", "backdrop.paddingX", "backdrop.paddingY", "backdrop.radius", "backdrop.shadow.blur", "backdrop.shadow.offsetX", "backdrop.shadow.offsetY", "xPercent", "yPercent", "maxWidthPercent", "targetHeightPercent", "opacity", "rect.x", "rect.y", "rect.width", "rect.height", "radius", "ring.width", "focusX", "focusY", "halo.width", "levelDb"]
    "Places and sizes in units of 1080 on the short side; opacity 0 to 1; levelDb of sound"
    points: list["ClipUpdateUpdatesMotionConfigKeyframesItemPointsItem"]


class ClipUpdateUpdatesMotionConfig(TypedDict):
    "Transitions, and what moves"
    enabled: NotRequired[bool]
    "Show transitions"
    transition: NotRequired[Literal["none", "cross_fade", "whip", "zoom", "dip"]]
    "Transition between takes"
    transitionSeconds: NotRequired[float]
    "Seconds that a transition between takes takes (default 0.4)"
    transitionColor: NotRequired[Literal["black", "white"]]
    "Colour that it goes through, of a dip"
    transitionSound: NotRequired[Literal["none", "whoosh", "hit", "riser", "pop"]]
    "Sound effect at each transition between takes"
    cuts: NotRequired[list["ClipUpdateUpdatesMotionConfigCutsItem"]]
    "Transitions at single cuts, in place of the usual one"
    sounds: NotRequired[list["ClipUpdateUpdatesMotionConfigSoundsItem"]]
    "Sound effects at moments of their own"
    keyframes: NotRequired[list["ClipUpdateUpdatesMotionConfigKeyframesItem"]]
    "Properties of layers over time"
    brollTransition: NotRequired[Literal["none", "cross_fade", "whip", "zoom", "dip"]]
    "Transition at the edges of b-roll"
    brollTransitionSeconds: NotRequired[float]
    "Seconds that a transition at the edges of b-roll takes (default 0.4)"
    brollTransitionColor: NotRequired[Literal["black", "white"]]
    "Colour that it goes through, of a dip"


class ClipUpdateUpdatesDeliveryConfig(TypedDict):
    "The finished file that is made of a clip by itself"
    enabled: NotRequired[bool]
    "Make the file"
    profile: NotRequired[Literal["social-1080", "social-4k", "hevc", "hevc-hdr", "av1", "av1-hdr", "broadcast-r128-25p", "broadcast-r128-50p", "broadcast-r128-25i", "broadcast-a85", "broadcast-a85-5994p", "broadcast-a85-2997i", "prores-422-hq", "dnxhr-hq", "captions-prores-4444", "captions-png", "audio-stems", "gif", "webp"]]
    "Delivery profile of the file"


class ClipUpdateUpdatesSoundConfig(TypedDict):
    "Cleaning of the recorded sound"
    noiseReduction: NotRequired[Literal["off", "light", "strong"]]
    "Lowers steady noise such as hiss, wind of fans and traffic; strong also takes a little of the voice"
    humFilter: NotRequired[bool]
    "Takes out the hum of mains (50 or 60 Hz) where there is some"
    dereverb: NotRequired[bool]
    "Lowers the tail of the room a little"
    levelSpeakers: NotRequired[bool]
    "Brings all speakers to one loudness"


class ClipUpdateUpdates(TypedDict):
    title: NotRequired[str]
    "Title"
    bio: NotRequired[str]
    "Short description"
    keywords: NotRequired[list[str]]
    "Keywords"
    people: NotRequired[list[str]]
    "People or speakers featured"
    segments: NotRequired[list["SegmentInput"]]
    "Ranges to keep, not overlapping; [] clears the trim"
    duration: NotRequired[float]
    "Seconds; derived where segments, start or end are given"
    startTimestamp: NotRequired[float]
    "Start, seconds in the source"
    endTimestamp: NotRequired[float]
    "End, seconds in the source"
    timestampBoundary: NotRequired["ClipUpdateUpdatesTimestampBoundary"]
    subtitleConfig: NotRequired["SubtitleConfig"]
    titleConfig: NotRequired["TitleConfig"]
    watermarkConfig: NotRequired["WatermarkConfig"]
    backgroundMusicOption: NotRequired["BackgroundMusicOption"]
    endCardOption: NotRequired["EndCardOption"]
    motionConfig: NotRequired["ClipUpdateUpdatesMotionConfig"]
    "Transitions, and what moves"
    deliveryConfig: NotRequired["ClipUpdateUpdatesDeliveryConfig"]
    "The finished file that is made of a clip by itself"
    soundConfig: NotRequired["ClipUpdateUpdatesSoundConfig"]
    "Cleaning of the recorded sound"
    metadata: NotRequired["Metadata"]
    "Names and values of your own, at most 16, of up to 40 and 500 characters; they are stored and answered, and change nothing. Merged into what is saved, as configs are; an empty value takes a name away"


class ClipUpdateTimestampBoundary(TypedDict):
    start: float
    end: float


class ClipUpdateMotionConfigCutsItem(TypedDict):
    "The transition at one cut, in place of the usual one"
    at: float
    "Source second of the cut: any that is left out there, or its edges"
    transition: Literal["none", "cross_fade", "whip", "zoom", "dip"]
    seconds: NotRequired[float]
    "Seconds that it takes (default 0.4)"
    color: NotRequired[Literal["black", "white"]]
    "Colour that it goes through, of a dip"
    sound: NotRequired[Literal["none", "whoosh", "hit", "riser", "pop"]]
    "Sound effect at it"


class ClipUpdateMotionConfigSoundsItem(TypedDict):
    "A sound effect"
    sound: Literal["whoosh", "hit", "riser", "pop"]
    at: float
    "Source second: of its peak, or of where it leads to"
    volume: NotRequired[float]
    "Loudness, 0 to 1"


class ClipUpdateMotionConfigKeyframesItemPointsItemCurve(TypedDict):
    "The way to the next one as a cubic Bézier curve, in place of easing: x1 and x2 are shares of the time, y1 and y2 of the way"
    x1: float
    y1: float
    x2: float
    y2: float


class ClipUpdateMotionConfigKeyframesItemPointsItem(TypedDict):
    time: float
    "Source second"
    value: float
    easing: NotRequired[Literal["linear", "ease_in", "ease_out", "ease_in_out", "hold"]]
    "The way to the next one"
    curve: NotRequired["ClipUpdateMotionConfigKeyframesItemPointsItemCurve"]
    "The way to the next one as a cubic Bézier curve, in place of easing: x1 and x2 are shares of the time, y1 and y2 of the way"


class ClipUpdateMotionConfigKeyframesItem(TypedDict):
    "A property of a layer over time"
    layer: str
    "Id of the layer or track: title, captions, watermark, music, overlay:ID, or that of b-roll"
    property: Literal["styles.face.fontSize", "styles.face.lineHeight", "styles.face.letterSpacing", "styles.face.outline.width", "styles.face.shadow.blur", "styles.face.shadow.offsetX", "styles.face.shadow.offsetY", "styles.backdrop.opacity", "styles.backdrop.paddingX", "styles.backdrop.paddingY", "styles.backdrop.radius", "styles.backdrop.shadow.blur", "styles.backdrop.shadow.offsetX", "styles.backdrop.shadow.offsetY", "styles.spoken.opacity", "styles.spoken.restOpacity", "styles.spoken.scale", "styles.xPercent", "styles.yPercent", "styles.wrapWidthPercent", "face.fontSize", "face.lineHeight", "face.letterSpacing", "face.outline.width", "face.shadow.blur", "face.shadow.offsetX", "face.shadow.offsetY", "backdrop.opacity", "backdrop.paddingX", "backdrop.paddingY", "backdrop.radius", "backdrop.shadow.blur", "backdrop.shadow.offsetX", "backdrop.shadow.offsetY", "xPercent", "yPercent", "maxWidthPercent", "targetHeightPercent", "opacity", "rect.x", "rect.y", "rect.width", "rect.height", "radius", "ring.width", "focusX", "focusY", "halo.width", "levelDb"]
    "Places and sizes in units of 1080 on the short side; opacity 0 to 1; levelDb of sound"
    points: list["ClipUpdateMotionConfigKeyframesItemPointsItem"]


class ClipUpdateMotionConfig(TypedDict):
    "Transitions, and what moves"
    enabled: NotRequired[bool]
    "Show transitions"
    transition: NotRequired[Literal["none", "cross_fade", "whip", "zoom", "dip"]]
    "Transition between takes"
    transitionSeconds: NotRequired[float]
    "Seconds that a transition between takes takes (default 0.4)"
    transitionColor: NotRequired[Literal["black", "white"]]
    "Colour that it goes through, of a dip"
    transitionSound: NotRequired[Literal["none", "whoosh", "hit", "riser", "pop"]]
    "Sound effect at each transition between takes"
    cuts: NotRequired[list["ClipUpdateMotionConfigCutsItem"]]
    "Transitions at single cuts, in place of the usual one"
    sounds: NotRequired[list["ClipUpdateMotionConfigSoundsItem"]]
    "Sound effects at moments of their own"
    keyframes: NotRequired[list["ClipUpdateMotionConfigKeyframesItem"]]
    "Properties of layers over time"
    brollTransition: NotRequired[Literal["none", "cross_fade", "whip", "zoom", "dip"]]
    "Transition at the edges of b-roll"
    brollTransitionSeconds: NotRequired[float]
    "Seconds that a transition at the edges of b-roll takes (default 0.4)"
    brollTransitionColor: NotRequired[Literal["black", "white"]]
    "Colour that it goes through, of a dip"


class ClipUpdateDeliveryConfig(TypedDict):
    "The finished file that is made of a clip by itself"
    enabled: NotRequired[bool]
    "Make the file"
    profile: NotRequired[Literal["social-1080", "social-4k", "hevc", "hevc-hdr", "av1", "av1-hdr", "broadcast-r128-25p", "broadcast-r128-50p", "broadcast-r128-25i", "broadcast-a85", "broadcast-a85-5994p", "broadcast-a85-2997i", "prores-422-hq", "dnxhr-hq", "captions-prores-4444", "captions-png", "audio-stems", "gif", "webp"]]
    "Delivery profile of the file"


class ClipUpdateSoundConfig(TypedDict):
    "Cleaning of the recorded sound"
    noiseReduction: NotRequired[Literal["off", "light", "strong"]]
    "Lowers steady noise such as hiss, wind of fans and traffic; strong also takes a little of the voice"
    humFilter: NotRequired[bool]
    "Takes out the hum of mains (50 or 60 Hz) where there is some"
    dereverb: NotRequired[bool]
    "Lowers the tail of the room a little"
    levelSpeakers: NotRequired[bool]
    "Brings all speakers to one loudness"


class ClipUpdate(TypedDict):
    "Editable fields in `updates`, or beside it; `updates` wins. end_card_option is taken as endCardOption"
    companyId: NotRequired[str]
    clipId: str
    updates: NotRequired[Union["ClipUpdateUpdates", None]]
    merge: NotRequired[Union[bool, None]]
    "true: nested configs are merged, one level deep, into what is saved; false: they replace it"
    title: NotRequired[str]
    "Title"
    bio: NotRequired[str]
    "Short description"
    keywords: NotRequired[list[str]]
    "Keywords"
    people: NotRequired[list[str]]
    "People or speakers featured"
    segments: NotRequired[list["SegmentInput"]]
    "Ranges to keep, not overlapping; [] clears the trim"
    duration: NotRequired[float]
    "Seconds; derived where segments, start or end are given"
    startTimestamp: NotRequired[float]
    "Start, seconds in the source"
    endTimestamp: NotRequired[float]
    "End, seconds in the source"
    timestampBoundary: NotRequired["ClipUpdateTimestampBoundary"]
    subtitleConfig: NotRequired["SubtitleConfig"]
    titleConfig: NotRequired["TitleConfig"]
    watermarkConfig: NotRequired["WatermarkConfig"]
    backgroundMusicOption: NotRequired["BackgroundMusicOption"]
    endCardOption: NotRequired["EndCardOption"]
    motionConfig: NotRequired["ClipUpdateMotionConfig"]
    "Transitions, and what moves"
    deliveryConfig: NotRequired["ClipUpdateDeliveryConfig"]
    "The finished file that is made of a clip by itself"
    soundConfig: NotRequired["ClipUpdateSoundConfig"]
    "Cleaning of the recorded sound"
    metadata: NotRequired["Metadata"]
    "Names and values of your own, at most 16, of up to 40 and 500 characters; they are stored and answered, and change nothing. Merged into what is saved, as configs are; an empty value takes a name away"


class ClipUpdateAnswerUpdatesTimestampBoundary(TypedDict):
    start: float
    end: float


class ClipUpdateAnswerUpdatesMotionConfigCutsItem(TypedDict):
    "The transition at one cut, in place of the usual one"
    at: float
    "Source second of the cut: any that is left out there, or its edges"
    transition: Literal["none", "cross_fade", "whip", "zoom", "dip"]
    seconds: NotRequired[float]
    "Seconds that it takes (default 0.4)"
    color: NotRequired[Literal["black", "white"]]
    "Colour that it goes through, of a dip"
    sound: NotRequired[Literal["none", "whoosh", "hit", "riser", "pop"]]
    "Sound effect at it"


class ClipUpdateAnswerUpdatesMotionConfigSoundsItem(TypedDict):
    "A sound effect"
    sound: Literal["whoosh", "hit", "riser", "pop"]
    at: float
    "Source second: of its peak, or of where it leads to"
    volume: NotRequired[float]
    "Loudness, 0 to 1"


class ClipUpdateAnswerUpdatesMotionConfigKeyframesItemPointsItemCurve(TypedDict):
    "The way to the next one as a cubic Bézier curve, in place of easing: x1 and x2 are shares of the time, y1 and y2 of the way"
    x1: float
    y1: float
    x2: float
    y2: float


class ClipUpdateAnswerUpdatesMotionConfigKeyframesItemPointsItem(TypedDict):
    time: float
    "Source second"
    value: float
    easing: NotRequired[Literal["linear", "ease_in", "ease_out", "ease_in_out", "hold"]]
    "The way to the next one"
    curve: NotRequired["ClipUpdateAnswerUpdatesMotionConfigKeyframesItemPointsItemCurve"]
    "The way to the next one as a cubic Bézier curve, in place of easing: x1 and x2 are shares of the time, y1 and y2 of the way"


class ClipUpdateAnswerUpdatesMotionConfigKeyframesItem(TypedDict):
    "A property of a layer over time"
    layer: str
    "Id of the layer or track: title, captions, watermark, music, overlay:ID, or that of b-roll"
    property: Literal["styles.face.fontSize", "styles.face.lineHeight", "styles.face.letterSpacing", "styles.face.outline.width", "styles.face.shadow.blur", "styles.face.shadow.offsetX", "styles.face.shadow.offsetY", "styles.backdrop.opacity", "styles.backdrop.paddingX", "styles.backdrop.paddingY", "styles.backdrop.radius", "styles.backdrop.shadow.blur", "styles.backdrop.shadow.offsetX", "styles.backdrop.shadow.offsetY", "styles.spoken.opacity", "styles.spoken.restOpacity", "styles.spoken.scale", "styles.xPercent", "styles.yPercent", "styles.wrapWidthPercent", "face.fontSize", "face.lineHeight", "face.letterSpacing", "face.outline.width", "face.shadow.blur", "face.shadow.offsetX", "face.shadow.offsetY", "backdrop.opacity", "backdrop.paddingX", "backdrop.paddingY", "backdrop.radius", "backdrop.shadow.blur", "backdrop.shadow.offsetX", "backdrop.shadow.offsetY", "xPercent", "yPercent", "maxWidthPercent", "targetHeightPercent", "opacity", "rect.x", "rect.y", "rect.width", "rect.height", "radius", "ring.width", "focusX", "focusY", "halo.width", "levelDb"]
    "Places and sizes in units of 1080 on the short side; opacity 0 to 1; levelDb of sound"
    points: list["ClipUpdateAnswerUpdatesMotionConfigKeyframesItemPointsItem"]


class ClipUpdateAnswerUpdatesMotionConfig(TypedDict):
    "Transitions, and what moves"
    enabled: NotRequired[bool]
    "Show transitions"
    transition: NotRequired[Literal["none", "cross_fade", "whip", "zoom", "dip"]]
    "Transition between takes"
    transitionSeconds: NotRequired[float]
    "Seconds that a transition between takes takes (default 0.4)"
    transitionColor: NotRequired[Literal["black", "white"]]
    "Colour that it goes through, of a dip"
    transitionSound: NotRequired[Literal["none", "whoosh", "hit", "riser", "pop"]]
    "Sound effect at each transition between takes"
    cuts: NotRequired[list["ClipUpdateAnswerUpdatesMotionConfigCutsItem"]]
    "Transitions at single cuts, in place of the usual one"
    sounds: NotRequired[list["ClipUpdateAnswerUpdatesMotionConfigSoundsItem"]]
    "Sound effects at moments of their own"
    keyframes: NotRequired[list["ClipUpdateAnswerUpdatesMotionConfigKeyframesItem"]]
    "Properties of layers over time"
    brollTransition: NotRequired[Literal["none", "cross_fade", "whip", "zoom", "dip"]]
    "Transition at the edges of b-roll"
    brollTransitionSeconds: NotRequired[float]
    "Seconds that a transition at the edges of b-roll takes (default 0.4)"
    brollTransitionColor: NotRequired[Literal["black", "white"]]
    "Colour that it goes through, of a dip"


class ClipUpdateAnswerUpdatesDeliveryConfig(TypedDict):
    "The finished file that is made of a clip by itself"
    enabled: NotRequired[bool]
    "Make the file"
    profile: NotRequired[Literal["social-1080", "social-4k", "hevc", "hevc-hdr", "av1", "av1-hdr", "broadcast-r128-25p", "broadcast-r128-50p", "broadcast-r128-25i", "broadcast-a85", "broadcast-a85-5994p", "broadcast-a85-2997i", "prores-422-hq", "dnxhr-hq", "captions-prores-4444", "captions-png", "audio-stems", "gif", "webp"]]
    "Delivery profile of the file"


class ClipUpdateAnswerUpdatesSoundConfig(TypedDict):
    "Cleaning of the recorded sound"
    noiseReduction: NotRequired[Literal["off", "light", "strong"]]
    "Lowers steady noise such as hiss, wind of fans and traffic; strong also takes a little of the voice"
    humFilter: NotRequired[bool]
    "Takes out the hum of mains (50 or 60 Hz) where there is some"
    dereverb: NotRequired[bool]
    "Lowers the tail of the room a little"
    levelSpeakers: NotRequired[bool]
    "Brings all speakers to one loudness"


class ClipUpdateAnswerUpdates(TypedDict):
    "The values as they are saved now"
    title: NotRequired[str]
    "Title"
    bio: NotRequired[str]
    "Short description"
    keywords: NotRequired[list[str]]
    "Keywords"
    people: NotRequired[list[str]]
    "People or speakers featured"
    segments: NotRequired[list["ClipSegment"]]
    duration: NotRequired[float]
    "Seconds; derived where segments, start or end are given"
    startTimestamp: NotRequired[float]
    "Start, seconds in the source"
    endTimestamp: NotRequired[float]
    "End, seconds in the source"
    timestampBoundary: NotRequired["ClipUpdateAnswerUpdatesTimestampBoundary"]
    subtitleConfig: NotRequired["SubtitleConfig"]
    titleConfig: NotRequired["TitleConfig"]
    watermarkConfig: NotRequired["WatermarkConfig"]
    backgroundMusicOption: NotRequired["BackgroundMusicOption"]
    endCardOption: NotRequired["EndCardOption"]
    motionConfig: NotRequired["ClipUpdateAnswerUpdatesMotionConfig"]
    "Transitions, and what moves"
    deliveryConfig: NotRequired["ClipUpdateAnswerUpdatesDeliveryConfig"]
    "The finished file that is made of a clip by itself"
    soundConfig: NotRequired["ClipUpdateAnswerUpdatesSoundConfig"]
    "Cleaning of the recorded sound"
    metadata: NotRequired["Metadata"]
    "Names and values of your own, at most 16, of up to 40 and 500 characters; they are stored and answered, and change nothing. Merged into what is saved, as configs are; an empty value takes a name away"


class ClipUpdateAnswer(TypedDict):
    clipId: str
    status: Literal["success"]
    updatedFields: list[str]
    updates: "ClipUpdateAnswerUpdates"
    "The values as they are saved now"
    warnings: NotRequired[list[str]]


class SegmentInput(TypedDict):
    startSeconds: NotRequired[float]
    "Start, seconds from the start of the clip"
    endSeconds: NotRequired[float]
    "End, seconds from the start of the clip"
    start: NotRequired[float]
    "Another name of startSeconds"
    end: NotRequired[float]
    "Another name of endSeconds"
    playbackRate: NotRequired[float]
    "Speed at which it is played; 1 is natural"


class SubtitleConfig(TypedDict):
    "Caption styling"
    enabled: NotRequired[bool]
    "Show captions"
    styleId: NotRequired[str]
    "Caption preset that the other fields refine"
    fontColor: NotRequired[str]
    "Text colour (CSS colour)"
    fontFamily: NotRequired[str]
    "Font family"
    fontUrl: NotRequired[str]
    "Font file to use, in its own weight: TTF, OTF or WOFF2, up to 10 MB"
    fontSize: NotRequired[Union[float, str]]
    "Font size in reference units, '76' or 76"
    fontWeight: NotRequired[Union[float, str]]
    "Font weight, '800', 800, 'bold'"
    isItalic: NotRequired[bool]
    "Italic text"
    lineHeight: NotRequired[float]
    "Line height, a multiple of the font size"
    letterSpacing: NotRequired[Union[float, str]]
    "Space between letters in reference units"
    textCase: NotRequired[str]
    "Letter case: none, uppercase, lowercase, capitalize"
    textAlign: NotRequired[Literal["left", "center", "right", "start", "end", "justify"]]
    "Alignment of the lines"
    backgroundColor: NotRequired[str]
    "Colour behind the text (CSS colour)"
    backgroundOpacity: NotRequired[float]
    "Opacity of the background, 0 to 1"
    backgroundFillStyle: NotRequired[str]
    "Shape of the background: none, line, block, wrap"
    backgroundPadding: NotRequired[Union[float, str]]
    "Space between text and background edge in reference units"
    backgroundBorderRadius: NotRequired[Union[float, str]]
    "Corner radius of the background in reference units"
    captionPosition: NotRequired[str]
    "Place on the picture: top, middle, bottom; subtitleX and subtitleY win"
    outlineColor: NotRequired[str]
    "Colour of the outline (CSS colour)"
    outlineWidth: NotRequired[Union[float, str]]
    "Width of the outline in reference units"
    shadowColor: NotRequired[str]
    "Colour of the shadow (CSS colour)"
    shadowBlur: NotRequired[Union[float, str]]
    "Blur of the shadow in reference units"
    shadowEnabled: NotRequired[bool]
    "Draw the shadow"
    maxCharsPerLine: NotRequired[float]
    "Characters in a line, at most"
    maxLines: NotRequired[float]
    "Lines in a caption, at most"
    wrapWidthPct: NotRequired[float]
    "Width in which lines wrap, percent of the picture"
    subtitleX: NotRequired[float]
    "Centre of the block, percent of the width"
    subtitleY: NotRequired[float]
    "Centre of the block, percent of the height"
    animationStyle: NotRequired[str]
    "Entrance of a caption: none, fade, pop, bounce, slide"
    amplifySpokenWords: NotRequired[bool]
    "Emphasise the word being spoken"
    amplifiedColor: NotRequired[str]
    "Colour of the word being spoken (CSS colour)"
    amplifiedOpacity: NotRequired[float]
    "Opacity of the word being spoken, 0 to 1"
    amplifyOpacityTransitionDuration: NotRequired[float]
    "Length of the change between words, seconds"
    emojis: NotRequired[bool]
    "Add emojis to the captions"
    avoidFaces: NotRequired[bool]
    "Move the captions where they cover faces least; left out, they do where faces are known and no place is given"
    highlightKeywords: NotRequired[bool]
    "Colour the keywords of the clip"
    highlightColor: NotRequired[str]
    "Colour of highlighted keywords (CSS colour)"
    safeZone: NotRequired[Literal["none", "tiktok", "reels", "shorts"]]
    "Keep clear of the controls of this platform"
    speakerStyles: NotRequired[Union[list[Union["SpeakerStyle", None]], dict[str, "SpeakerStyle"]]]
    "Styles by 0-based speaker: a list, or a map with numeric keys. Entry 0 is the default others inherit"


class SpeakerStyle(TypedDict):
    styleId: NotRequired[str]
    "Caption preset that the other fields refine"
    fontColor: NotRequired[str]
    "Text colour (CSS colour)"
    fontFamily: NotRequired[str]
    "Font family"
    fontUrl: NotRequired[str]
    "Font file to use, in its own weight: TTF, OTF or WOFF2, up to 10 MB"
    fontSize: NotRequired[Union[float, str]]
    "Font size in reference units, '76' or 76"
    fontWeight: NotRequired[Union[float, str]]
    "Font weight, '800', 800, 'bold'"
    isItalic: NotRequired[bool]
    "Italic text"
    lineHeight: NotRequired[float]
    "Line height, a multiple of the font size"
    letterSpacing: NotRequired[Union[float, str]]
    "Space between letters in reference units"
    textCase: NotRequired[str]
    "Letter case: none, uppercase, lowercase, capitalize"
    textAlign: NotRequired[Literal["left", "center", "right", "start", "end", "justify"]]
    "Alignment of the lines"
    backgroundColor: NotRequired[str]
    "Colour behind the text (CSS colour)"
    backgroundOpacity: NotRequired[float]
    "Opacity of the background, 0 to 1"
    backgroundFillStyle: NotRequired[str]
    "Shape of the background: none, line, block, wrap"
    backgroundPadding: NotRequired[Union[float, str]]
    "Space between text and background edge in reference units"
    backgroundBorderRadius: NotRequired[Union[float, str]]
    "Corner radius of the background in reference units"
    captionPosition: NotRequired[str]
    "Place on the picture: top, middle, bottom; subtitleX and subtitleY win"
    outlineColor: NotRequired[str]
    "Colour of the outline (CSS colour)"
    outlineWidth: NotRequired[Union[float, str]]
    "Width of the outline in reference units"
    shadowColor: NotRequired[str]
    "Colour of the shadow (CSS colour)"
    shadowBlur: NotRequired[Union[float, str]]
    "Blur of the shadow in reference units"
    shadowEnabled: NotRequired[bool]
    "Draw the shadow"
    maxCharsPerLine: NotRequired[float]
    "Characters in a line, at most"
    maxLines: NotRequired[float]
    "Lines in a caption, at most"
    wrapWidthPct: NotRequired[float]
    "Width in which lines wrap, percent of the picture"
    subtitleX: NotRequired[float]
    "Centre of the block, percent of the width"
    subtitleY: NotRequired[float]
    "Centre of the block, percent of the height"
    animationStyle: NotRequired[str]
    "Entrance of a caption: none, fade, pop, bounce, slide"
    amplifySpokenWords: NotRequired[bool]
    "Emphasise the word being spoken"
    amplifiedColor: NotRequired[str]
    "Colour of the word being spoken (CSS colour)"
    amplifiedOpacity: NotRequired[float]
    "Opacity of the word being spoken, 0 to 1"
    amplifyOpacityTransitionDuration: NotRequired[float]
    "Length of the change between words, seconds"
    emojis: NotRequired[bool]
    "Add emojis to the captions"
    avoidFaces: NotRequired[bool]
    "Move the captions where they cover faces least; left out, they do where faces are known and no place is given"
    highlightKeywords: NotRequired[bool]
    "Colour the keywords of the clip"
    highlightColor: NotRequired[str]
    "Colour of highlighted keywords (CSS colour)"
    safeZone: NotRequired[Literal["none", "tiktok", "reels", "shorts"]]
    "Keep clear of the controls of this platform"


class TitleConfig(TypedDict):
    "Headline text and styling"
    enabled: NotRequired[bool]
    "Show the headline"
    titlePresetId: NotRequired[str]
    "Styled title template; choosing one discards the styling saved on the node"
    titlePaletteId: NotRequired[str]
    "Colours of the template"
    generateTitle: NotRequired[bool]
    "Write the headline from the clip; false with `text` fixes it"
    text: NotRequired[str]
    "The headline; the title of the clip when absent"
    prompt: NotRequired[str]
    "What the headline should be like"
    fontFamily: NotRequired[str]
    "Font family"
    fontUrl: NotRequired[str]
    "Font file to use, in its own weight: TTF, OTF or WOFF2, up to 10 MB"
    fontWeight: NotRequired[Union[float, str]]
    "Font weight, '800', 800, 'bold'"
    fontColor: NotRequired[str]
    "Text colour (CSS colour)"
    fontSize: NotRequired[Union[float, str]]
    "Font size in reference units"
    fontScale: NotRequired[float]
    "Multiplies the font size"
    lineHeight: NotRequired[Union[float, str]]
    "Line height, a multiple of the font size"
    lineMargin: NotRequired[Union[float, str]]
    "Extra space between lines in reference units"
    characterSpacing: NotRequired[Union[float, str]]
    "Space between letters in reference units"
    padding: NotRequired[Union[float, str]]
    "Space beside the text inside its background, reference units"
    verticalPadding: NotRequired[Union[float, str]]
    "Space above and below the text inside its background, reference units"
    borderRadius: NotRequired[Union[float, str]]
    "Corner radius of the background in reference units"
    backgroundColor: NotRequired[str]
    "Colour behind the text (CSS colour)"
    backgroundOpacity: NotRequired[float]
    "Opacity of the background, 0 to 1"
    backgroundStyle: NotRequired[str]
    "Shape of the background: none, line, block, wrap"
    textShadow: NotRequired[Union[bool, str]]
    "Shadow of the text: true, false, or CSS such as '0 4px 12px rgba(0,0,0,0.6)'"
    boxShadow: NotRequired[Union[bool, str]]
    "Shadow of the background: true, false, or CSS"
    xPosition: NotRequired[float]
    "Centre of the block, fraction of the width"
    yPosition: NotRequired[float]
    "Centre of the block, fraction of the height"
    positionDynamically: NotRequired[bool]
    "Let the service choose the place"
    avoidFaces: NotRequired[bool]
    "Keep clear of faces; left out, it does where faces are known and no place is given"
    maxWidthPercent: NotRequired[float]
    "Widest the block may be, percent of the width"
    targetHeightPercent: NotRequired[float]
    "Tallest the block may be, percent of the height; text shrinks to fit"
    duration: NotRequired[float]
    "Seconds it is shown from the start; 0 shows it to the end"
    fadeDuration: NotRequired[float]
    "Seconds of fade in and out"
    allCaps: NotRequired[bool]
    "Upper case"
    textAlign: NotRequired[Literal["left", "center", "right", "start", "end", "justify"]]
    "Alignment of the lines"


class WatermarkConfig(TypedDict):
    "Watermark picture and placement"
    enabled: NotRequired[bool]
    "Show the watermark"
    url: NotRequired[str]
    "Picture or video of the watermark"
    position: NotRequired[float]
    "Place on a three by three grid, read like a page: 1 top left, 5 centre, 9 bottom right (default 3); x and y win"
    size: NotRequired[float]
    "Width, percent of the picture (default 16); 1 or less is a share"
    padding: NotRequired[float]
    "Distance from the edges, percent of the width (default 4)"
    opacity: NotRequired[float]
    "Opacity, 0 to 1"
    x: NotRequired[float]
    "Centre, percent of the width"
    y: NotRequired[float]
    "Centre, percent of the height"
    startOffset: NotRequired[float]
    "Seconds after the start of the clip at which it appears"
    endOffset: NotRequired[float]
    "Seconds before the end of the clip at which it goes"
    animationDuration: NotRequired[float]
    "Seconds that its coming and going take (default 0.5 for a named transition)"
    introTransitionId: NotRequired[str]
    "How it comes: fade, slideInLeft, zoomOut and the like"
    outroTransitionId: NotRequired[str]
    "How it goes: fade, slideInLeft, zoomOut and the like"


class BackgroundMusicOption(TypedDict):
    "Music under the clip"
    id: NotRequired[str]
    "Id of the track"
    name: NotRequired[str]
    "Name of the track"
    url: NotRequired[str]
    "Audio file"
    thumbnailUrl: NotRequired[str]
    "Picture of the track"
    duration: NotRequired[float]
    "Length in seconds"
    volume: NotRequired[float]
    "Loudness, 0 to 1"


class EndCardOption(TypedDict):
    "Card at the end of the clip"
    url: NotRequired[str]
    "Picture or video of the card"
    duration: NotRequired[float]
    "Seconds that the card is shown; to the end of the clip, or 3 after it, when left out"
    secondsBeforeEnd: NotRequired[float]
    "Seconds before the end of the clip at which it starts; left out, it follows the clip"
    isVideo: NotRequired[bool]
    "The card is a video"
    opacity: NotRequired[float]
    "Opacity, 0 to 1"
    videoDuration: NotRequired[float]
    "Length of the card video in seconds"
    volume: NotRequired[float]
    "Loudness of the card video, 0 to 1"


class RenderRequest(TypedDict):
    companyId: NotRequired[str]
    clipId: str
    strict: NotRequired[Union[bool, None]]
    "Refuse with RENDER_INCOMPLETE a render that lost something"


class RenderAnswerDetails(TypedDict):
    "Of RENDER_INCOMPLETE"
    warnings: list["RenderWarning"]
    "What this render lost; left out where it lost nothing"


class RenderAnswer(TypedDict):
    status: Literal["finished", "failed", "rendering"]
    renderUrl: NotRequired[str]
    error: NotRequired[str]
    code: NotRequired[str]
    warnings: NotRequired[list["RenderWarning"]]
    "What this render lost; left out where it lost nothing"
    details: NotRequired["RenderAnswerDetails"]
    "Of RENDER_INCOMPLETE"


class RenderWarning(TypedDict):
    code: Literal["FONT_NOT_FOUND", "FILE_LEFT_OUT", "FILE_NOT_NAMED", "VALUE_IGNORED", "NAME_UNKNOWN", "NEVER_SHOWN", "SHORTENED", "PROMPT_NOT_FOLLOWED", "NOT_MEASURED", "NOTHING_FOUND", "LANGUAGE_NOT_SUPPORTED", "SOURCE_DAMAGED", "OTHER"]
    "For a program; stable. `FONT_NOT_FOUND`: a font is not here; another one is used. `FILE_LEFT_OUT`: a file could not be fetched or cannot be used, and is left out. `FILE_NOT_NAMED`: a setting that needs a file names none. `VALUE_IGNORED`: a value means nothing there and is ignored. `NAME_UNKNOWN`: there is nothing of that name; what is usual is taken. `NEVER_SHOWN`: something is set so that it is never seen or heard. `SHORTENED`: something was longer than may be, and was cut. `PROMPT_NOT_FOLLOWED`: no language model was there to follow a prompt. `NOT_MEASURED`: what a setting needs was not measured when the clip was made; a new run measures it. `NOTHING_FOUND`: a setting found nothing in the clip that it could act on. `LANGUAGE_NOT_SUPPORTED`: a setting does not know the language of the clip. `SOURCE_DAMAGED`: a part of the source could not be read. `OTHER`: what an earlier version of the appliance said; the sentence says what."
    field: Union[str, None]
    "The setting of the clip or node; null where it is none"
    message: str
    "A sentence for a person"
    clipId: str


class Word(TypedDict):
    index: int
    "Stable position of the word"
    word: str
    "Text, punctuation included"
    start: float
    "Seconds in the source"
    end: float
    "Seconds in the source"
    speaker: NotRequired[int]
    "0-based speaker, when known"
    isDeleted: bool
    "Removed from the captions"
    visible: bool
    "Inside what the clip currently shows"


class Transcript(TypedDict):
    clipId: str
    source: str
    wordCount: int
    words: list["Word"]


TranscriptOperation1 = TypedDict(
    "TranscriptOperation1",
    {
        "from": str,
        "matchCase": NotRequired[bool],
        "to": NotRequired[str],
        "replacement": NotRequired[str],
    },
)


class TranscriptOperation2(TypedDict):
    "The words that overlap a range of time"
    start: float
    "Seconds in the source"
    end: float
    "Seconds in the source"
    to: NotRequired[str]
    "Replacement; empty removes the words from the captions"
    replacement: NotRequired[str]
    "Another name of to, which wins"


class TranscriptOperation3(TypedDict):
    "One word"
    index: int
    "Position of the word"
    to: NotRequired[str]
    "Replacement; empty removes the words from the captions"
    replacement: NotRequired[str]
    "Another name of to, which wins"


TranscriptOperation = Union["TranscriptOperation1", "TranscriptOperation2", "TranscriptOperation3"]


class TranscriptPatch(TypedDict):
    companyId: NotRequired[str]
    clipId: str
    operations: list["TranscriptOperation"]


class TranscriptPatchAnswer(TypedDict):
    clipId: str
    status: Literal["success"]
    applied: int
    "Operations processed, those that matched nothing included"
    replaced: int
    "Spans of words replaced"
    appliedToHiddenWords: int
    "Replacements on words that the clip does not show"
    warnings: list[str]
    words: list["Word"]


class WorkflowSummary(TypedDict):
    id: str
    name: str
    description: str


class WorkflowNodePosition(TypedDict):
    x: float
    y: float


class WorkflowNode(TypedDict):
    id: str
    type: str
    config: dict[str, Any]
    position: NotRequired["WorkflowNodePosition"]


class WorkflowEdge(TypedDict):
    id: NotRequired[str]
    source: str
    target: str


Platform = Literal["youtube", "tiktok", "instagram", "twitter", "linkedin", "facebook", "threads", "snapchat", "bluesky"]


class Post(TypedDict):
    id: str
    platform: "Platform"
    text: str
    "Published caption"
    postUrl: Union[str, None]
    nativeId: Union[str, None]
    clipId: Union[str, None]
    status: str
    "success, error"
    mediaUrl: Union[str, None]
    thumbnailUrl: Union[str, None]
    createdAt: str
    "Publish time, ISO-8601 UTC"
    engagementScore: NotRequired[float]
    "likes*2 + comments*3 + shares*4 + max(5, views/100); for ranking"
    growthRate: NotRequired[float]
    "Percent growth of the score between the two latest refreshes"
    lastAnalyticsUpdate: NotRequired[str]
    "Last refresh, ISO-8601 UTC"


class ListedPost(TypedDict):
    id: str
    platform: "Platform"
    text: str
    "Published caption"
    postUrl: Union[str, None]
    nativeId: Union[str, None]
    clipId: Union[str, None]
    status: str
    "success, error"
    mediaUrl: Union[str, None]
    thumbnailUrl: Union[str, None]
    createdAt: str
    "Publish time, ISO-8601 UTC"
    engagementScore: NotRequired[float]
    "likes*2 + comments*3 + shares*4 + max(5, views/100); for ranking"
    growthRate: NotRequired[float]
    "Percent growth of the score between the two latest refreshes"
    lastAnalyticsUpdate: NotRequired[str]
    "Last refresh, ISO-8601 UTC"
    analytics: "AnalyticsRollup"


class PostsAnswer(TypedDict):
    posts: list["ListedPost"]
    cursor: Union[str, None]


class PostAnalyticsAnswerAnalytics(TypedDict):
    views: int
    "Impressions on platforms without views"
    likes: int
    "Likes"
    comments: int
    "Comments"
    shares: int
    "Shares"
    engagementScore: NotRequired[float]
    "likes*2 + comments*3 + shares*4 + max(5, views/100); for ranking"
    growthRate: NotRequired[float]
    "Percent growth of the score between the two latest refreshes"
    lastAnalyticsUpdate: NotRequired[str]
    "Last refresh, ISO-8601 UTC"
    platformMetrics: dict[str, Any]
    "The platform’s own metrics of the latest refresh, by platform; their shape may change"


class PostAnalyticsAnswer(TypedDict):
    post: "Post"
    analytics: "PostAnalyticsAnswerAnalytics"


class AnalyticsRollup(TypedDict):
    views: int
    "Impressions on platforms without views"
    likes: int
    "Likes"
    comments: int
    "Comments"
    shares: int
    "Shares"
    engagementScore: NotRequired[float]
    "likes*2 + comments*3 + shares*4 + max(5, views/100); for ranking"
    growthRate: NotRequired[float]
    "Percent growth of the score between the two latest refreshes"
    lastAnalyticsUpdate: NotRequired[str]
    "Last refresh, ISO-8601 UTC"


class Event(TypedDict):
    id: str
    type: Literal["run.queued", "run.processing", "run.learning", "run.completed", "run.failed", "render.queued", "render.started", "render.finished", "render.failed", "render.cancelled", "clip.created", "clip.updated", "clip.deleted", "clip.rendered", "clip.reviewed", "pick.created", "pick.finished", "pick.failed", "pick.cancelled", "post.created", "post.updated", "post.scheduled", "post.publishing", "post.published", "post.failed", "post.cancelled", "post.deleted", "share.commented", "share.decided", "confirmation.created", "confirmation.approved", "confirmation.declined", "confirmation.consumed"]
    companyId: NotRequired[str]
    subjectId: str
    createdAt: str
    data: dict[str, Any]


class Webhook(TypedDict):
    id: str
    companyId: NotRequired[str]
    url: str
    events: list[str]
    state: Literal["active", "paused"]
    createdAt: str


class NewWebhook(TypedDict):
    companyId: NotRequired[str]
    url: str
    events: NotRequired[Union[list[str], None]]


class WebhookAnswer(TypedDict):
    webhook: "Webhook"
    secret: str
    "What deliveries are signed with; shown here only"


class Error(TypedDict):
    error: str
    "A sentence for a person"
    status: Literal["error"]
    code: str
    "For a program; stable"
    requestId: str
    "As in X-Request-Id and in the log"
    details: NotRequired[dict[str, Any]]
    "Which field, which rule, where that helps"


class NodeConfigFindClipsPinnedTimestampsItem(TypedDict):
    "A range of the source; what of it lies outside is left away"
    start: float
    "Seconds in the source"
    end: float
    "Seconds in the source"


class NodeConfigFindClips(TypedDict):
    "Settings of the node “Find clips”"
    enabled: NotRequired[bool]
    "Find clips; when off the whole source is one clip"
    min_length: NotRequired[float]
    "Shortest clip, seconds"
    max_length: NotRequired[float]
    "Longest clip, seconds"
    model_key: NotRequired[Literal["conversational", "multimodal"]]
    "What is looked at"
    prompt: NotRequired[str]
    "What makes a good clip here; replaces the built-in guidance"
    promptAdjustment: NotRequired[str]
    "Guidance added to the prompt"
    speechModel: NotRequired[str]
    "Speech model that writes the words; empty: chosen by what the machine can do"
    renderEverything: NotRequired[bool]
    "In the studio: render every clip that is found; when off, those that are kept. Watched folders render every clip unless this is switched off; the APIs always do"
    pinnedTimestamps: NotRequired[list["NodeConfigFindClipsPinnedTimestampsItem"]]
    "Ranges of the source that become clips"
    pinnedTimestampsOnly: NotRequired[bool]
    "Return the pinned clips only"
    pinnedTimestampMode: NotRequired[Literal["search_within", "ranges"]]
    "`search_within` finds clips inside the pinned ranges; otherwise the ranges are the clips"


class NodeConfigFillerWordsFillerWordsConfig(TypedDict):
    "What is cut"
    enabled: NotRequired[bool]
    "Cut filler words such as 'um'"
    stutteredWordsEnabled: NotRequired[bool]
    "Cut repeated words"
    silencesEnabled: NotRequired[bool]
    "Shorten silences"


class NodeConfigFillerWords(TypedDict):
    "Settings of the node “Remove filler words”"
    enabled: NotRequired[bool]
    "Clean up the speech"
    filler_words_config: NotRequired["NodeConfigFillerWordsFillerWordsConfig"]
    "What is cut"


class NodeConfigRemoveCurseWordsRemoveCurseWordsConfig(TypedDict):
    "What is done, and to which words"
    enabled: NotRequired[bool]
    "Remove curse words"
    mode: NotRequired[Literal["silence", "beep", "remove"]]
    "`silence` or `beep` the sound, or `remove` the moment"
    words: NotRequired[list[str]]
    "Words besides the built-in ones"
    includeMild: NotRequired[bool]
    "Mild words such as 'damn' as well"


class NodeConfigRemoveCurseWords(TypedDict):
    "Settings of the node “Remove curse words”"
    enabled: NotRequired[bool]
    "Remove curse words"
    remove_curse_words_config: NotRequired["NodeConfigRemoveCurseWordsRemoveCurseWordsConfig"]
    "What is done, and to which words"


class NodeConfigCleanSoundSoundConfig(TypedDict):
    "Cleaning of the recorded sound"
    noiseReduction: NotRequired[Literal["off", "light", "strong"]]
    "Lowers steady noise such as hiss, wind of fans and traffic; strong also takes a little of the voice"
    humFilter: NotRequired[bool]
    "Takes out the hum of mains (50 or 60 Hz) where there is some"
    dereverb: NotRequired[bool]
    "Lowers the tail of the room a little"
    levelSpeakers: NotRequired[bool]
    "Brings all speakers to one loudness"


class NodeConfigCleanSound(TypedDict):
    "Settings of the node “Clean up the sound”"
    enabled: NotRequired[bool]
    "Clean up the sound"
    sound_config: NotRequired["NodeConfigCleanSoundSoundConfig"]
    "Cleaning of the recorded sound"


class NodeConfigConvertToVertical(TypedDict):
    "Settings of the node “Convert to vertical”"
    enabled: NotRequired[bool]
    "Convert the picture"
    aspect_ratio: NotRequired[str]
    "Width to height, usually 9:16; also 4:5, 1:1, 16:9"
    style: NotRequired[Literal["style_one", "style_two", "style_three", "style_four", "style_none", "adaptive"]]
    "How people are framed. `style_one`: one at a time, whoever speaks. `style_two`, `style_three`, `style_four`: up to so many at once, in halves, bands or quarters. `adaptive`: shot by shot one, several, a screen with its speaker, or the whole picture over its blur. `style_none`: the middle, whoever is where. Left out: adaptive where faces were measured, else the middle"
    centerVertical: NotRequired[bool]
    "Show the whole picture, centred, instead of a crop"
    zoom: NotRequired[float]
    "Enlarges the centred picture; below 1 counts as 1; with centerVertical only"
    gaussian_blur: NotRequired[bool]
    "Fill around the centred picture with its blur; with centerVertical only"
    y_offset: NotRequired[float]
    "Moves the centred picture down, percent of the height; negative moves it up"
    split_view: NotRequired[bool]
    "Several people may be shown in panes, one above the other (in a wide output side by side): true also for `style_one`, false for no style; left out, the style says"
    force_split_view: NotRequired[bool]
    "Two panes at least: the one person who is seen and the rest of the picture; where nobody is seen, its left half above its right half"
    ignore_content_tiles: NotRequired[bool]
    "Slides and screens are not shown whole with their speaker beneath (`adaptive` does); people are framed as everywhere"


class NodeConfigSmartZoomSmartZoomConfig(TypedDict):
    "How it zooms"
    enabled: NotRequired[bool]
    "Zoom"
    intensity: NotRequired[float]
    "Largest zoom, 1 is none"
    frequency: NotRequired[Literal["low", "medium", "high"]]
    "How often"
    mode: NotRequired[Literal["punch", "smooth"]]
    "`punch` cuts in, `smooth` moves in"


class NodeConfigSmartZoom(TypedDict):
    "Settings of the node “Smart zoom”"
    enabled: NotRequired[bool]
    "Zoom"
    smart_zoom_config: NotRequired["NodeConfigSmartZoomSmartZoomConfig"]
    "How it zooms"


class NodeConfigRemoveWatermarkRemoveWatermarkConfigRegionsItem(TypedDict):
    "Where a logo sits"
    x: float
    "Left edge, percent of the width of the source picture"
    y: float
    "Top edge, percent of the height of the source picture"
    width: float
    "Percent of the width"
    height: float
    "Percent of the height"
    start: NotRequired[float]
    "Seconds in the played clip from which it is there"
    end: NotRequired[float]
    "Seconds in the played clip until which it is there"


class NodeConfigRemoveWatermarkRemoveWatermarkConfig(TypedDict):
    "What is removed"
    enabled: NotRequired[bool]
    "Remove logos"
    regions: NotRequired[list["NodeConfigRemoveWatermarkRemoveWatermarkConfigRegionsItem"]]
    "Where logos sit"
    auto: NotRequired[bool]
    "Find logos that stand still near the edges of the source picture"


class NodeConfigRemoveWatermark(TypedDict):
    "Settings of the node “Remove watermark”"
    enabled: NotRequired[bool]
    "Remove logos"
    remove_watermark_config: NotRequired["NodeConfigRemoveWatermarkRemoveWatermarkConfig"]
    "What is removed"


class NodeConfigAddBroll(TypedDict):
    "Settings of the node “Add b-roll”"
    enabled: NotRequired[bool]
    "Add b-roll"
    prompt: NotRequired[str]
    "What to show"
    broll_frequency: NotRequired[Literal["low", "medium", "high"]]
    "How often"
    allowed_methods: NotRequired[list[Literal["google_images", "youtube", "getty"]]]
    "Where pictures may come from"
    enable_ai_broll: NotRequired[bool]
    "Make pictures where none is found"
    use_broll_library: NotRequired[bool]
    "Use the library of the company"
    library_folder_ids: NotRequired[list[str]]
    "Folders of the library; empty means all"


class NodeConfigAddBrainrotBrainrotConfig(TypedDict):
    "Which video, and where"
    category: NotRequired[str]
    "Folder or tag of the library from which a video is picked for each clip, unless videoUrl names one"
    cropPosition: NotRequired[str]
    "Part of the video that is shown: left, right, top, bottom, center"
    randomVideoUrl: NotRequired[Union[bool, str]]
    "true: pick a video of the library, from the category, or else from a folder named brainrot or gameplay; or the address of one that was drawn"
    verticalY: NotRequired[float]
    "Centre of the second video, percent of the height, usually 75: it fills the picture from there to the nearer edge and as far the other way"
    videoUrl: NotRequired[str]
    "The video"


class NodeConfigAddBrainrot(TypedDict):
    "Settings of the node “Add second video”"
    enabled: NotRequired[bool]
    "Add the second video"
    brainrot_config: NotRequired["NodeConfigAddBrainrotBrainrotConfig"]
    "Which video, and where"


class NodeConfigAddAudiogramAudiogramConfig(TypedDict):
    "Look of the wave"
    enabled: NotRequired[bool]
    "Draw the wave"
    backgroundColor: NotRequired[str]
    "Behind everything; on a video it covers the picture (CSS colour)"
    backgroundUrl: NotRequired[str]
    "Picture behind everything; on a video it covers the picture"
    waveColor: NotRequired[str]
    "Colour of the wave (CSS colour)"
    waveStyle: NotRequired[Literal["bars", "line", "mirror"]]
    "Form of the wave; the preset’s own where none is given"
    x: NotRequired[float]
    "Centre, percent of the width"
    y: NotRequired[float]
    "Centre, percent of the height"
    width: NotRequired[float]
    "Percent of the width"
    height: NotRequired[float]
    "Percent of the height"
    showCover: NotRequired[bool]
    "Show the cover picture; where there is one it is shown unless this is off"
    coverUrl: NotRequired[str]
    "Cover picture, shown as a square; else the one in the sound file"


class NodeConfigAddAudiogram(TypedDict):
    "Settings of the node “Add audiogram”"
    enabled: NotRequired[bool]
    "Draw the wave"
    template: NotRequired[str]
    "Preset: midnight, paper, sunset, neon, artwork"
    audiogram_config: NotRequired["NodeConfigAddAudiogramAudiogramConfig"]
    "Look of the wave"


class NodeConfigMediaOverlayMediaOverlayConfig(TypedDict):
    "What is shown, where and when"
    mediaUrl: NotRequired[str]
    "Picture or video"
    opacity: NotRequired[float]
    "Opacity, 0 to 1"
    scale: NotRequired[float]
    "Multiple of its own size, or of the largest that fits when that is less"
    xPosition: NotRequired[float]
    "Centre, percent of the width"
    yPosition: NotRequired[float]
    "Centre, percent of the height"
    startOffset: NotRequired[float]
    "Seconds after the start of the clip at which it appears"
    endOffset: NotRequired[float]
    "Seconds before the end of the clip at which it goes"
    animationDuration: NotRequired[float]
    "Seconds that its coming and going take"
    introTransitionId: NotRequired[str]
    "How it comes"
    outroTransitionId: NotRequired[str]
    "How it goes"


class NodeConfigMediaOverlay(TypedDict):
    "Settings of the node “Media overlay”"
    enabled: NotRequired[bool]
    "Show the overlay"
    media_overlay_config: NotRequired["NodeConfigMediaOverlayMediaOverlayConfig"]
    "What is shown, where and when"


class NodeConfigApplyBrandingLowerThird(TypedDict):
    "Names of speakers where they first speak"
    enabled: NotRequired[bool]
    "Show the names"
    seconds: NotRequired[float]
    "Seconds that a name is shown (default 4)"
    fontColor: NotRequired[str]
    "Text colour (CSS colour)"
    backgroundColor: NotRequired[str]
    "Colour behind the text (CSS colour)"
    fontFamily: NotRequired[str]
    "Font family"
    fontUrl: NotRequired[str]
    "Font file to use, in its own weight: TTF, OTF or WOFF2, up to 10 MB"
    fontSize: NotRequired[float]
    "Font size in reference units (default 48)"
    y: NotRequired[float]
    "Centre, percent of the height (default 60)"


class NodeConfigApplyBranding(TypedDict):
    "Settings of the node “Apply branding”"
    enabled: NotRequired[bool]
    "Apply the brand"
    brand_kit_id: NotRequired[str]
    "Brand kit; what is set below goes over it"
    style: NotRequired[str]
    "Style of the brand"
    watermark_config: NotRequired["WatermarkConfig"]
    subtitle_config: NotRequired["SubtitleConfig"]
    title_config: NotRequired["TitleConfig"]
    lower_third: NotRequired["NodeConfigApplyBrandingLowerThird"]
    "Names of speakers where they first speak"
    background_music_option: NotRequired["BackgroundMusicOption"]
    intro_url: NotRequired[str]
    "Picture or video of the intro, which plays before the clip"
    intro_seconds: NotRequired[float]
    "Seconds that the intro is shown; a video plays once, a picture for 2"
    outro_card_url: NotRequired[str]
    "Picture or video of the end card"
    outro_music_url: NotRequired[str]
    "Audio file under the end card"
    overlay_url: NotRequired[str]
    "Picture over the whole clip"


class NodeConfigAddSubtitles(TypedDict):
    "Settings of the node “Add subtitles”"
    enabled: NotRequired[bool]
    "Show captions"
    subtitle_config: NotRequired["SubtitleConfig"]


class NodeConfigAddTitleOverlay(TypedDict):
    "Settings of the node “Add title overlay”"
    enabled: NotRequired[bool]
    "Show the headline"
    title_config: NotRequired["TitleConfig"]


class NodeConfigAddWatermark(TypedDict):
    "Settings of the node “Add watermark”"
    enabled: NotRequired[bool]
    "Add the watermark"
    watermark_config: NotRequired["WatermarkConfig"]


class NodeConfigAddMusicOutroMusicOption(TypedDict):
    "Music under the end card"
    url: NotRequired[str]
    "Audio file"
    volume: NotRequired[float]
    "Loudness, 0 to 1"


class NodeConfigAddMusic(TypedDict):
    "Settings of the node “Add music”"
    enabled: NotRequired[bool]
    "Add music"
    background_music_option: NotRequired["BackgroundMusicOption"]
    background_music_options: NotRequired[list["BackgroundMusicOption"]]
    "One of these is picked, stably, per clip"
    outro_music_option: NotRequired["NodeConfigAddMusicOutroMusicOption"]
    "Music under the end card"
    ducking: NotRequired[bool]
    "Lower the music while somebody speaks"


class NodeConfigAddOutroOutroMusicOption(TypedDict):
    "Music under the end card"
    url: NotRequired[str]
    "Audio file"
    volume: NotRequired[float]
    "Loudness, 0 to 1"


class NodeConfigAddOutro(TypedDict):
    "Settings of the node “Add outro”"
    enabled: NotRequired[bool]
    "Add the end card"
    end_card_option: NotRequired["EndCardOption"]
    outro_music_option: NotRequired["NodeConfigAddOutroOutroMusicOption"]
    "Music under the end card"


class NodeConfigAddMotionMotionConfigCutsItem(TypedDict):
    "The transition at one cut, in place of the usual one"
    at: float
    "Source second of the cut: any that is left out there, or its edges"
    transition: Literal["none", "cross_fade", "whip", "zoom", "dip"]
    seconds: NotRequired[float]
    "Seconds that it takes (default 0.4)"
    color: NotRequired[Literal["black", "white"]]
    "Colour that it goes through, of a dip"
    sound: NotRequired[Literal["none", "whoosh", "hit", "riser", "pop"]]
    "Sound effect at it"


class NodeConfigAddMotionMotionConfigSoundsItem(TypedDict):
    "A sound effect"
    sound: Literal["whoosh", "hit", "riser", "pop"]
    at: float
    "Source second: of its peak, or of where it leads to"
    volume: NotRequired[float]
    "Loudness, 0 to 1"


class NodeConfigAddMotionMotionConfigKeyframesItemPointsItemCurve(TypedDict):
    "The way to the next one as a cubic Bézier curve, in place of easing: x1 and x2 are shares of the time, y1 and y2 of the way"
    x1: float
    y1: float
    x2: float
    y2: float


class NodeConfigAddMotionMotionConfigKeyframesItemPointsItem(TypedDict):
    time: float
    "Source second"
    value: float
    easing: NotRequired[Literal["linear", "ease_in", "ease_out", "ease_in_out", "hold"]]
    "The way to the next one"
    curve: NotRequired["NodeConfigAddMotionMotionConfigKeyframesItemPointsItemCurve"]
    "The way to the next one as a cubic Bézier curve, in place of easing: x1 and x2 are shares of the time, y1 and y2 of the way"


class NodeConfigAddMotionMotionConfigKeyframesItem(TypedDict):
    "A property of a layer over time"
    layer: str
    "Id of the layer or track: title, captions, watermark, music, overlay:ID, or that of b-roll"
    property: Literal["styles.face.fontSize", "styles.face.lineHeight", "styles.face.letterSpacing", "styles.face.outline.width", "styles.face.shadow.blur", "styles.face.shadow.offsetX", "styles.face.shadow.offsetY", "styles.backdrop.opacity", "styles.backdrop.paddingX", "styles.backdrop.paddingY", "styles.backdrop.radius", "styles.backdrop.shadow.blur", "styles.backdrop.shadow.offsetX", "styles.backdrop.shadow.offsetY", "styles.spoken.opacity", "styles.spoken.restOpacity", "styles.spoken.scale", "styles.xPercent", "styles.yPercent", "styles.wrapWidthPercent", "face.fontSize", "face.lineHeight", "face.letterSpacing", "face.outline.width", "face.shadow.blur", "face.shadow.offsetX", "face.shadow.offsetY", "backdrop.opacity", "backdrop.paddingX", "backdrop.paddingY", "backdrop.radius", "backdrop.shadow.blur", "backdrop.shadow.offsetX", "backdrop.shadow.offsetY", "xPercent", "yPercent", "maxWidthPercent", "targetHeightPercent", "opacity", "rect.x", "rect.y", "rect.width", "rect.height", "radius", "ring.width", "focusX", "focusY", "halo.width", "levelDb"]
    "Places and sizes in units of 1080 on the short side; opacity 0 to 1; levelDb of sound"
    points: list["NodeConfigAddMotionMotionConfigKeyframesItemPointsItem"]


class NodeConfigAddMotionMotionConfig(TypedDict):
    "Transitions, and what moves"
    enabled: NotRequired[bool]
    "Show transitions"
    transition: NotRequired[Literal["none", "cross_fade", "whip", "zoom", "dip"]]
    "Transition between takes"
    transitionSeconds: NotRequired[float]
    "Seconds that a transition between takes takes (default 0.4)"
    transitionColor: NotRequired[Literal["black", "white"]]
    "Colour that it goes through, of a dip"
    transitionSound: NotRequired[Literal["none", "whoosh", "hit", "riser", "pop"]]
    "Sound effect at each transition between takes"
    cuts: NotRequired[list["NodeConfigAddMotionMotionConfigCutsItem"]]
    "Transitions at single cuts, in place of the usual one"
    sounds: NotRequired[list["NodeConfigAddMotionMotionConfigSoundsItem"]]
    "Sound effects at moments of their own"
    keyframes: NotRequired[list["NodeConfigAddMotionMotionConfigKeyframesItem"]]
    "Properties of layers over time"
    brollTransition: NotRequired[Literal["none", "cross_fade", "whip", "zoom", "dip"]]
    "Transition at the edges of b-roll"
    brollTransitionSeconds: NotRequired[float]
    "Seconds that a transition at the edges of b-roll takes (default 0.4)"
    brollTransitionColor: NotRequired[Literal["black", "white"]]
    "Colour that it goes through, of a dip"


class NodeConfigAddMotion(TypedDict):
    "Settings of the node “Transitions”"
    enabled: NotRequired[bool]
    "Show transitions"
    motion_config: NotRequired["NodeConfigAddMotionMotionConfig"]
    "Transitions, and what moves"


class NodeConfigDeliverDeliveryConfig(TypedDict):
    "The finished file that is made of a clip by itself"
    enabled: NotRequired[bool]
    "Make the file"
    profile: NotRequired[Literal["social-1080", "social-4k", "hevc", "hevc-hdr", "av1", "av1-hdr", "broadcast-r128-25p", "broadcast-r128-50p", "broadcast-r128-25i", "broadcast-a85", "broadcast-a85-5994p", "broadcast-a85-2997i", "prores-422-hq", "dnxhr-hq", "captions-prores-4444", "captions-png", "audio-stems", "gif", "webp"]]
    "Delivery profile of the file"


class NodeConfigDeliver(TypedDict):
    "Settings of the node “Deliver”"
    enabled: NotRequired[bool]
    "Make the file"
    delivery_config: NotRequired["NodeConfigDeliverDeliveryConfig"]
    "The finished file that is made of a clip by itself"


class NodeOverrideFindClips(TypedDict):
    nodeType: Literal["find_clips"]
    config: NotRequired["NodeConfigFindClips"]


class NodeOverrideFillerWords(TypedDict):
    nodeType: Literal["filler_words"]
    config: NotRequired["NodeConfigFillerWords"]


class NodeOverrideRemoveCurseWords(TypedDict):
    nodeType: Literal["remove_curse_words"]
    config: NotRequired["NodeConfigRemoveCurseWords"]


class NodeOverrideCleanSound(TypedDict):
    nodeType: Literal["clean_sound"]
    config: NotRequired["NodeConfigCleanSound"]


class NodeOverrideConvertToVertical(TypedDict):
    nodeType: Literal["convert_to_vertical"]
    config: NotRequired["NodeConfigConvertToVertical"]


class NodeOverrideSmartZoom(TypedDict):
    nodeType: Literal["smart_zoom"]
    config: NotRequired["NodeConfigSmartZoom"]


class NodeOverrideRemoveWatermark(TypedDict):
    nodeType: Literal["remove_watermark"]
    config: NotRequired["NodeConfigRemoveWatermark"]


class NodeOverrideAddBroll(TypedDict):
    nodeType: Literal["add_broll"]
    config: NotRequired["NodeConfigAddBroll"]


class NodeOverrideAddBrainrot(TypedDict):
    nodeType: Literal["add_brainrot"]
    config: NotRequired["NodeConfigAddBrainrot"]


class NodeOverrideAddAudiogram(TypedDict):
    nodeType: Literal["add_audiogram"]
    config: NotRequired["NodeConfigAddAudiogram"]


class NodeOverrideMediaOverlay(TypedDict):
    nodeType: Literal["media_overlay"]
    config: NotRequired["NodeConfigMediaOverlay"]


class NodeOverrideApplyBranding(TypedDict):
    nodeType: Literal["apply_branding"]
    config: NotRequired["NodeConfigApplyBranding"]


class NodeOverrideAddSubtitles(TypedDict):
    nodeType: Literal["add_subtitles"]
    config: NotRequired["NodeConfigAddSubtitles"]


class NodeOverrideAddTitleOverlay(TypedDict):
    nodeType: Literal["add_title_overlay"]
    config: NotRequired["NodeConfigAddTitleOverlay"]


class NodeOverrideAddWatermark(TypedDict):
    nodeType: Literal["add_watermark"]
    config: NotRequired["NodeConfigAddWatermark"]


class NodeOverrideAddMusic(TypedDict):
    nodeType: Literal["add_music"]
    config: NotRequired["NodeConfigAddMusic"]


class NodeOverrideAddOutro(TypedDict):
    nodeType: Literal["add_outro"]
    config: NotRequired["NodeConfigAddOutro"]


class NodeOverrideAddMotion(TypedDict):
    nodeType: Literal["add_motion"]
    config: NotRequired["NodeConfigAddMotion"]


class NodeOverrideDeliver(TypedDict):
    nodeType: Literal["deliver"]
    config: NotRequired["NodeConfigDeliver"]


class NodeOverrideOther(TypedDict):
    "Of a type that this appliance does not know, such as one of a later version: skipped"
    nodeType: str
    config: NotRequired[Any]


class NodeConfigs1(TypedDict):
    find_clips: NotRequired["NodeConfigFindClips"]
    filler_words: NotRequired["NodeConfigFillerWords"]
    remove_curse_words: NotRequired["NodeConfigRemoveCurseWords"]
    clean_sound: NotRequired["NodeConfigCleanSound"]
    convert_to_vertical: NotRequired["NodeConfigConvertToVertical"]
    smart_zoom: NotRequired["NodeConfigSmartZoom"]
    remove_watermark: NotRequired["NodeConfigRemoveWatermark"]
    add_broll: NotRequired["NodeConfigAddBroll"]
    add_brainrot: NotRequired["NodeConfigAddBrainrot"]
    add_audiogram: NotRequired["NodeConfigAddAudiogram"]
    media_overlay: NotRequired["NodeConfigMediaOverlay"]
    apply_branding: NotRequired["NodeConfigApplyBranding"]
    add_subtitles: NotRequired["NodeConfigAddSubtitles"]
    add_title_overlay: NotRequired["NodeConfigAddTitleOverlay"]
    add_watermark: NotRequired["NodeConfigAddWatermark"]
    add_music: NotRequired["NodeConfigAddMusic"]
    add_outro: NotRequired["NodeConfigAddOutro"]
    add_motion: NotRequired["NodeConfigAddMotion"]
    deliver: NotRequired["NodeConfigDeliver"]


NodeConfigs = Union["NodeConfigs1", list[Union[Union["NodeOverrideFindClips", "NodeOverrideFillerWords", "NodeOverrideRemoveCurseWords", "NodeOverrideCleanSound", "NodeOverrideConvertToVertical", "NodeOverrideSmartZoom", "NodeOverrideRemoveWatermark", "NodeOverrideAddBroll", "NodeOverrideAddBrainrot", "NodeOverrideAddAudiogram", "NodeOverrideMediaOverlay", "NodeOverrideApplyBranding", "NodeOverrideAddSubtitles", "NodeOverrideAddTitleOverlay", "NodeOverrideAddWatermark", "NodeOverrideAddMusic", "NodeOverrideAddOutro", "NodeOverrideAddMotion", "NodeOverrideDeliver"], "NodeOverrideOther"]]]


class RunEventData(TypedDict):
    "Members without a value are left out"
    runId: NotRequired[str]
    workflowId: NotRequired[str]
    status: NotRequired[str]
    errorCode: NotRequired[str]
    error: NotRequired[str]
    metadata: NotRequired["Metadata"]


class RenderEventData(TypedDict):
    "Members without a value are left out"
    operationId: NotRequired[str]
    clipId: NotRequired[str]
    state: NotRequired[str]
    errorCode: NotRequired[str]
    error: NotRequired[str]
    attempts: NotRequired[float]
    metadata: NotRequired["Metadata"]
    runMetadata: NotRequired["Metadata"]


class ClipEventData(TypedDict):
    "Members without a value are left out"
    clipId: NotRequired[str]
    runId: NotRequired[str]
    workflowId: NotRequired[str]
    title: NotRequired[str]
    review: NotRequired[str]
    metadata: NotRequired["Metadata"]
    runMetadata: NotRequired["Metadata"]


class PickEventData(TypedDict):
    "Members without a value are left out"
    pickId: NotRequired[str]
    runId: NotRequired[str]
    kind: NotRequired[str]
    state: NotRequired[str]
    errorCode: NotRequired[str]
    error: NotRequired[str]


class PostEventData(TypedDict):
    "Members without a value are left out"
    postId: NotRequired[str]
    clipId: NotRequired[str]
    platform: NotRequired[str]
    state: NotRequired[str]
    postUrl: NotRequired[str]
    errorCode: NotRequired[str]
    error: NotRequired[str]


class ShareEventData(TypedDict):
    "Members without a value are left out"
    shareId: NotRequired[str]
    clipId: NotRequired[str]
    commentId: NotRequired[str]
    replyTo: NotRequired[str]
    by: NotRequired[str]
    author: NotRequired[str]
    text: NotRequired[str]
    decision: NotRequired[str]
    reviewer: NotRequired[str]
    note: NotRequired[str]
    frame: NotRequired[float]
    seconds: NotRequired[float]


class ConfirmationEventData(TypedDict):
    "Members without a value are left out"
    confirmationId: NotRequired[str]
    action: NotRequired[str]
    subjectId: NotRequired[str]
    state: NotRequired[str]


class Workflow(WorkflowSummary):
    nodes: list["WorkflowNode"]
    edges: list["WorkflowEdge"]
