package bot;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotatedClass;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.jsontype.NamedType;
import java.util.Arrays;
import java.util.List;

/** Tells the records of a sealed interface by their names: MoveDetective, "move_detective". */
final class KindsByName extends JacksonAnnotationIntrospector {
  private static final long serialVersionUID = 1;

  @Override
  public List<NamedType> findSubtypes(Annotated type) {
    Class<?>[] kinds = type.getRawType().getPermittedSubclasses();
    return kinds == null ? null : Arrays.stream(kinds).map(NamedType::new).toList();
  }

  @Override
  public String findTypeName(AnnotatedClass type) {
    return PropertyNamingStrategies.SnakeCaseStrategy.INSTANCE.translate(
        type.getRawType().getSimpleName());
  }
}
