/**
 * Keeps what is typed, and after a reload puts it back, before the page is painted and before its
 * scripts have loaded. The code stands in the HTML as text, so it holds none of `" ' & < >`.
 */
import { use } from "react";
import { NonceContext } from "#app/components/nonce.ts";
import { KEPT_ENTRIES } from "#app/routes/public/parts/kept-entries.ts";

const CODE = `(function(){
var form=document.getElementById(\`booking\`),e,v,kept;
function read(){try{return JSON.parse(sessionStorage.${KEPT_ENTRIES})}catch(x){return {}}}
kept=read();
for(e of form.elements){
v=kept[e.name];
if(v)if(e.type==\`radio\`){if(e.value==v)if(!form.elements[e.name].value)e.checked=true}
else if(e.type!=\`hidden\`)if(!e.value)e.value=v
}
form.addEventListener(\`input\`,function(){
try{sessionStorage.${KEPT_ENTRIES}=JSON.stringify(Object.assign(read(),Object.fromEntries(new FormData(form))))}catch(x){}
})
})()`.replaceAll("\n", "");

export function EntryKeeper() {
  return (
    <script nonce={use(NonceContext)} suppressHydrationWarning>
      {CODE}
    </script>
  );
}
