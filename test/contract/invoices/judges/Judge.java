import java.io.InputStream;
import java.io.StringReader;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.XMLConstants;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.Schema;
import javax.xml.validation.SchemaFactory;
import net.sf.saxon.lib.ResourceRequest;
import net.sf.saxon.s9api.Processor;
import net.sf.saxon.s9api.QName;
import net.sf.saxon.s9api.XdmDestination;
import net.sf.saxon.s9api.XdmItem;
import net.sf.saxon.s9api.XdmNode;
import net.sf.saxon.s9api.XsltCompiler;
import net.sf.saxon.s9api.XsltExecutable;
import net.sf.saxon.s9api.XsltTransformer;
import org.mustangproject.validator.ZUGFeRDValidator;
import org.verapdf.gf.foundry.VeraGreenfieldFoundryProvider;
import org.verapdf.pdfa.Foundries;
import org.verapdf.pdfa.PDFAParser;
import org.verapdf.pdfa.VeraPDFFoundry;
import org.verapdf.pdfa.flavours.PDFAFlavour;
import org.xml.sax.SAXException;

/**
 * Judges each document of a folder, in one process: an XML by the schema and the schematrons of its kind, a PDF by
 * veraPDF, and one that is named `.factur-x.pdf` by Mustang, which runs veraPDF. Prints a line for each broken rule,
 * `file TAB judge TAB rule TAB text`, and at the end how many documents each judge has seen.
 */
public class Judge {
  private static final String PEPPOL = "external/schematron/openpeppol/2025.5/xslt/";
  private static final Processor SAXON = new Processor(false);
  private static final Pattern FAILED = Pattern.compile("clause=([^,]+),[^\\]]*\\], status=failed, message=([^,]+)");

  private record Rules(String name, XsltExecutable stylesheet) {}

  private record Kind(String name, Schema schema, List<Rules> rules) {}

  private final Map<String, Kind> kinds;
  private final Rules peppol = rules("Peppol", PEPPOL + "PEPPOL-EN16931-UBL.xslt");
  private final Map<String, Integer> seen = new TreeMap<>();

  private Judge() throws Exception {
    Rules ubl = rules("EN 16931", "xslt/en16931schematron/EN16931-UBL-validation.xslt");
    Rules cii = rules("EN 16931", "xslt/en16931schematron/EN16931-CII-validation.xslt");
    Rules facturX = rules("Factur-X", "xslt/ZF_250/FACTUR-X_EN16931.xslt");
    kinds = Map.of(
        "CrossIndustryInvoice",
        new Kind("CII", schema("schema/ZF_250/EN16931/FACTUR-X_EN16931.xsd"), List.of(cii, facturX)),
        "Invoice",
        new Kind("UBL", schema("schema/UBL_21/maindoc/UBL-Invoice-2.1.xsd"), List.of(ubl)),
        "CreditNote",
        new Kind("UBL", schema("schema/UBL_21/maindoc/UBL-CreditNote-2.1.xsd"), List.of(ubl)));
  }

  public static void main(String[] folders) throws Exception {
    Judge judge = new Judge();
    try (var files = Files.list(Path.of(folders[0]))) {
      for (Path file : new TreeSet<>(files.toList())) {
        if (file.toString().endsWith(".pdf")) judge.judgePdf(file);
        else judge.judgeXml(file);
      }
    }
    judge.seen.forEach((name, count) -> System.out.println("seen\t" + name + "\t" + count));
  }

  private void judgeXml(Path file) throws Exception {
    XdmNode document = SAXON.newDocumentBuilder().build(file.toFile());
    XdmNode root = (XdmNode) SAXON.newXPathCompiler().evaluateSingle("/*", document);
    Kind kind = kinds.get(root.getNodeName().getLocalName());
    count(kind.name() + " schema");
    try {
      kind.schema().newValidator().validate(new StreamSource(file.toFile()));
    } catch (SAXException broken) {
      report(file, kind.name() + " schema", "XSD", broken.getMessage());
    }
    List<Rules> all = new ArrayList<>(kind.rules());
    if (valueOf(root, "*:CustomizationID").contains("peppol")) all.add(peppol);
    for (Rules rules : all) judge(file, document, rules, kind.name() + " " + rules.name());
  }

  private void judge(Path file, XdmNode document, Rules rules, String judge) throws Exception {
    count(judge);
    XdmDestination report = new XdmDestination();
    XsltTransformer transformer = rules.stylesheet().load();
    transformer.setResourceResolver(Judge::codes);
    transformer.setInitialContextNode(document);
    transformer.setDestination(report);
    transformer.transform();
    for (XdmItem item : SAXON.newXPathCompiler().evaluate("//*:failed-assert", report.getXdmNode())) {
      XdmNode failed = (XdmNode) item;
      String flag = failed.getAttributeValue(new QName("flag"));
      if ("warning".equals(flag) || "information".equals(flag)) continue;
      report(file, judge, failed.getAttributeValue(new QName("id")), failed.getStringValue());
    }
  }

  private void judgePdf(Path file) throws Exception {
    count("PDF/A");
    if (file.toString().endsWith(".factur-x.pdf")) {
      judgeFacturX(file);
      return;
    }
    VeraGreenfieldFoundryProvider.initialise();
    VeraPDFFoundry foundry = Foundries.defaultInstance();
    try (InputStream bytes = Files.newInputStream(file); PDFAParser parser = foundry.createParser(bytes)) {
      PDFAFlavour flavour = parser.getFlavour();
      reportPdfA(file, foundry.createValidator(flavour, false).validate(parser).toString());
    }
  }

  /** Mustang runs veraPDF, and repeats its result as text. */
  private void judgeFacturX(Path file) throws Exception {
    count("PDF Factur-X");
    ZUGFeRDValidator mustang = new ZUGFeRDValidator();
    // They come from rules for documents of another kind.
    mustang.disableNotices();
    String verdict = mustang.validate(file.toString());
    XdmNode document = SAXON.newDocumentBuilder().build(new StreamSource(new StringReader(verdict)));
    reportPdfA(file, valueOf(document, "/validation/pdf/text()[1]"));
    for (XdmItem failed : SAXON.newXPathCompiler().evaluate("//(error | exception)", document)) {
      String type = ((XdmNode) failed).getAttributeValue(new QName("type"));
      report(file, "PDF Factur-X", type, failed.getStringValue());
    }
    String status = valueOf(document, "/validation/summary/@status");
    if (!status.equals("valid")) report(file, "PDF Factur-X", "status", "is " + status);
  }

  /** @param result the `ValidationResult` of veraPDF as text */
  private static void reportPdfA(Path file, String result) {
    if (!result.contains("[flavour=3")) report(file, "PDF/A", "flavour", "is another");
    Matcher failed = FAILED.matcher(result);
    boolean isBroken = false;
    for (; failed.find(); isBroken = true) report(file, "PDF/A", failed.group(1), failed.group(2));
    if (!isBroken && !result.contains("isCompliant=true]")) report(file, "PDF/A", "compliance", "is missing");
  }

  private static String valueOf(XdmNode root, String path) throws Exception {
    return SAXON.newXPathCompiler().evaluate("string(" + path + ")", root).toString();
  }

  private void count(String judge) {
    seen.merge(judge, 1, Integer::sum);
  }

  private static void report(Path file, String judge, String rule, String text) {
    System.out.println(
        String.join("\t", file.getFileName().toString(), judge, rule, text.trim().replaceAll("\\s+", " ")));
  }

  /** The lists of codes lie beside the rules, in a jar, where no relative address leads. */
  private static StreamSource codes(ResourceRequest request) {
    String name = request.uri.substring(request.uri.lastIndexOf('/') + 1);
    return new StreamSource(resource("xslt/ZF_250/" + name).toExternalForm());
  }

  private static URL resource(String path) {
    URL found = Judge.class.getClassLoader().getResource(path);
    if (found == null) throw new IllegalStateException("no " + path + " in the jars");
    return found;
  }

  private static Rules rules(String name, String path) throws Exception {
    XsltCompiler compiler = SAXON.newXsltCompiler();
    compiler.setErrorReporter(error -> {
      if (!error.isWarning()) System.err.println(error.getMessage());
    });
    URL source = resource(path);
    try (InputStream text = source.openStream()) {
      return new Rules(name, compiler.compile(new StreamSource(text, source.toExternalForm())));
    }
  }

  private static Schema schema(String path) throws Exception {
    return SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI).newSchema(resource(path));
  }
}
