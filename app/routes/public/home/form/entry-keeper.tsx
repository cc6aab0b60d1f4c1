/**
 * Keeps what is typed, and after a reload puts it back, before the page is painted and before its
 * scripts have loaded. The code stands in the HTML as text, so it holds none of `" ' & < >`.
 */
import { use } from "react";
import { NonceContext } from "#app/components/nonce.ts";
import { KEPT_ENTRIES } from "#app/routes/public/parts/kept-entries.ts";

const CODE = `(function(){
var form=document.getElementById(\`booking\`),key=\`${KEPT_ENTRIES}\`;
function read(){try{return JSON.parse(sessionStorage.getItem(key))||{}}catch(e){return {}}}
var kept=read();
for(var field of form.elements){
var value=kept[field.name];
if(!value||field.type==\`hidden\`||field.type==\`submit\`)continue;
if(field.type==\`radio\`){if(field.value==value)if(!form.elements[field.name].value)field.checked=true}
else if(!field.value)field.value=value
}
form.addEventListener(\`input\`,function(){
try{sessionStorage.setItem(key,JSON.stringify(Object.assign(read(),Object.fromEntries(new FormData(form)))))}catch(e){}
})
})()`.replaceAll("\n", "");

export function EntryKeeper() {
  return (
    <script nonce={use(NonceContext)} suppressHydrationWarning>
      {CODE}
    </script>
  );
}
