; Made of splitter.c by `python -m native`; SHA-256 of that file and what it includes:
; c163a2bb09c0b1c7edd0a682e829addb899e92ba8d17801fe80b0994377087f9

define void @split_records(ptr %0) {
  %2 = load i64, ptr %0, align 8
  %3 = icmp sgt i64 %2, 0
  br i1 %3, label %4, label %17

4:                                                ; preds = %1
  %5 = getelementptr inbounds i8, ptr %0, i64 88
  %6 = load ptr, ptr %5, align 8
  %7 = getelementptr inbounds i8, ptr %0, i64 80
  %8 = getelementptr inbounds i8, ptr %0, i64 16
  %9 = getelementptr inbounds i8, ptr %0, i64 8
  %10 = getelementptr inbounds i8, ptr %0, i64 24
  %11 = getelementptr inbounds i8, ptr %0, i64 40
  %12 = getelementptr inbounds i8, ptr %0, i64 64
  %13 = getelementptr inbounds i8, ptr %0, i64 56
  %14 = getelementptr inbounds i8, ptr %0, i64 32
  %15 = getelementptr inbounds i8, ptr %0, i64 48
  %16 = getelementptr inbounds i8, ptr %0, i64 72
  br label %18

17:                                               ; preds = %201, %1
  ret void

18:                                               ; preds = %4, %201
  %19 = phi i64 [ 0, %4 ], [ %203, %201 ]
  %20 = phi ptr [ %6, %4 ], [ %202, %201 ]
  %21 = load ptr, ptr %7, align 8
  %22 = getelementptr inbounds i8, ptr %21, i64 %19
  %23 = load i8, ptr %22, align 1
  %24 = icmp eq i8 %23, 0
  br i1 %24, label %25, label %201

25:                                               ; preds = %18
  %26 = load ptr, ptr %8, align 8
  %27 = getelementptr inbounds i64, ptr %26, i64 %19
  %28 = getelementptr inbounds i8, ptr %27, i64 8
  %29 = load i64, ptr %28, align 8
  %30 = add i64 %29, -1
  %31 = load ptr, ptr %9, align 8
  %32 = load i64, ptr %10, align 8
  %33 = icmp sgt i64 %32, 0
  br i1 %33, label %34, label %198

34:                                               ; preds = %25
  %35 = load i64, ptr %27, align 8
  br label %36

36:                                               ; preds = %165, %34
  %37 = phi i64 [ 0, %34 ], [ %39, %165 ]
  %38 = phi i64 [ %35, %34 ], [ %164, %165 ]
  %39 = add i64 %37, 1
  %40 = getelementptr inbounds i64, ptr %20, i64 %37
  store i64 %38, ptr %40, align 8
  %41 = icmp slt i64 %38, %30
  br i1 %41, label %42, label %85

42:                                               ; preds = %36
  %43 = getelementptr inbounds i8, ptr %31, i64 %38
  %44 = load i8, ptr %43, align 1
  %45 = zext i8 %44 to i64
  %46 = load i64, ptr %11, align 8
  %47 = icmp eq i64 %46, %45
  br i1 %47, label %48, label %85

48:                                               ; preds = %42
  %49 = add i64 %38, 1
  %50 = load ptr, ptr %9, align 8
  %51 = icmp slt i64 %49, %30
  br i1 %51, label %52, label %198

52:                                               ; preds = %48, %82
  %53 = phi i64 [ %83, %82 ], [ %49, %48 ]
  %54 = add i64 %53, 1
  %55 = getelementptr inbounds i8, ptr %50, i64 %53
  %56 = load i8, ptr %55, align 1
  %57 = icmp eq i8 %44, %56
  br i1 %57, label %58, label %66

58:                                               ; preds = %52
  %59 = icmp slt i64 %54, %30
  br i1 %59, label %60, label %153

60:                                               ; preds = %58
  %61 = getelementptr inbounds i8, ptr %50, i64 %54
  %62 = load i8, ptr %61, align 1
  %63 = icmp eq i8 %44, %62
  br i1 %63, label %64, label %153

64:                                               ; preds = %60
  %65 = add i64 %53, 2
  br label %82

66:                                               ; preds = %52
  %67 = zext i8 %56 to i64
  %68 = load i64, ptr %15, align 8
  %69 = icmp eq i64 %68, %67
  br i1 %69, label %70, label %82

70:                                               ; preds = %66
  %71 = icmp slt i64 %54, %30
  br i1 %71, label %72, label %198

72:                                               ; preds = %70
  %73 = load ptr, ptr %16, align 8
  %74 = getelementptr inbounds i8, ptr %50, i64 %54
  %75 = load i8, ptr %74, align 1
  %76 = zext i8 %75 to i64
  %77 = getelementptr inbounds i8, ptr %73, i64 %76
  %78 = load i8, ptr %77, align 1
  %79 = icmp eq i8 %78, 0
  br i1 %79, label %198, label %80

80:                                               ; preds = %72
  %81 = add i64 %53, 2
  br label %82

82:                                               ; preds = %80, %66, %64
  %83 = phi i64 [ %54, %66 ], [ %65, %64 ], [ %81, %80 ]
  %84 = icmp slt i64 %83, %30
  br i1 %84, label %52, label %198

85:                                               ; preds = %42, %36
  %86 = load ptr, ptr %9, align 8
  %87 = sub i64 %30, %38
  %88 = load i64, ptr %12, align 8
  %89 = icmp slt i64 %87, %88
  br i1 %89, label %119, label %90

90:                                               ; preds = %85
  %91 = icmp sgt i64 %88, 0
  br i1 %91, label %92, label %105

92:                                               ; preds = %90
  %93 = getelementptr i8, ptr %86, i64 %38
  %94 = load ptr, ptr %13, align 8
  br label %98

95:                                               ; preds = %98
  %96 = add i64 %99, 1
  %97 = icmp eq i64 %96, %88
  br i1 %97, label %105, label %98

98:                                               ; preds = %95, %92
  %99 = phi i64 [ 0, %92 ], [ %96, %95 ]
  %100 = getelementptr i8, ptr %93, i64 %99
  %101 = load i8, ptr %100, align 1
  %102 = getelementptr inbounds i8, ptr %94, i64 %99
  %103 = load i8, ptr %102, align 1
  %104 = icmp eq i8 %101, %103
  br i1 %104, label %95, label %119

105:                                              ; preds = %95, %90
  %106 = add i64 %88, %38
  %107 = icmp eq i64 %106, %30
  br i1 %107, label %153, label %108

108:                                              ; preds = %105
  %109 = getelementptr inbounds i8, ptr %86, i64 %106
  %110 = load i8, ptr %109, align 1
  %111 = zext i8 %110 to i64
  %112 = load i64, ptr %14, align 8
  %113 = icmp eq i64 %112, %111
  br i1 %113, label %119, label %114

114:                                              ; preds = %108
  %115 = icmp ne i8 %110, 13
  %116 = icmp ne i8 %110, 10
  %117 = and i1 %115, %116
  %118 = select i1 %117, i64 %38, i64 %106
  br label %119

119:                                              ; preds = %98, %114, %108, %85
  %120 = phi i64 [ %106, %108 ], [ %38, %85 ], [ %118, %114 ], [ %38, %98 ]
  %121 = icmp slt i64 %120, %30
  br i1 %121, label %122, label %153

122:                                              ; preds = %119
  %123 = load ptr, ptr %16, align 8
  br label %124

124:                                              ; preds = %149, %122
  %125 = phi i64 [ %120, %122 ], [ %151, %149 ]
  %126 = getelementptr inbounds i8, ptr %86, i64 %125
  %127 = load i8, ptr %126, align 1
  %128 = zext i8 %127 to i64
  %129 = getelementptr inbounds i8, ptr %123, i64 %128
  %130 = load i8, ptr %129, align 1
  %131 = icmp eq i8 %130, 0
  br i1 %131, label %149, label %132

132:                                              ; preds = %124
  %133 = load i64, ptr %14, align 8
  %134 = icmp eq i64 %133, %128
  br i1 %134, label %153, label %135

135:                                              ; preds = %132
  switch i8 %127, label %136 [
    i8 13, label %153
    i8 10, label %153
  ]

136:                                              ; preds = %135
  %137 = load i64, ptr %15, align 8
  %138 = icmp eq i64 %137, %128
  br i1 %138, label %139, label %198

139:                                              ; preds = %136
  %140 = add i64 %125, 1
  %141 = icmp slt i64 %140, %30
  br i1 %141, label %142, label %198

142:                                              ; preds = %139
  %143 = getelementptr inbounds i8, ptr %86, i64 %140
  %144 = load i8, ptr %143, align 1
  %145 = zext i8 %144 to i64
  %146 = getelementptr inbounds i8, ptr %123, i64 %145
  %147 = load i8, ptr %146, align 1
  %148 = icmp eq i8 %147, 0
  br i1 %148, label %198, label %149

149:                                              ; preds = %142, %124
  %150 = phi i64 [ %140, %142 ], [ %125, %124 ]
  %151 = add i64 %150, 1
  %152 = icmp slt i64 %151, %30
  br i1 %152, label %124, label %153

153:                                              ; preds = %149, %135, %135, %132, %60, %58, %119, %105
  %154 = phi i64 [ %54, %60 ], [ %30, %105 ], [ %120, %119 ], [ %54, %58 ], [ %151, %149 ], [ %125, %135 ], [ %125, %132 ], [ %125, %135 ]
  %155 = icmp slt i64 %154, 0
  br i1 %155, label %198, label %156

156:                                              ; preds = %153
  %157 = icmp slt i64 %154, %30
  br i1 %157, label %158, label %172

158:                                              ; preds = %156
  %159 = getelementptr inbounds i8, ptr %31, i64 %154
  %160 = load i8, ptr %159, align 1
  %161 = zext i8 %160 to i64
  %162 = load i64, ptr %14, align 8
  %163 = icmp eq i64 %162, %161
  %164 = add i64 %154, 1
  br i1 %163, label %165, label %168

165:                                              ; preds = %158
  %166 = load i64, ptr %10, align 8
  %167 = icmp slt i64 %39, %166
  br i1 %167, label %36, label %198

168:                                              ; preds = %158
  %169 = getelementptr inbounds i64, ptr %20, i64 %39
  store i64 %164, ptr %169, align 8
  %170 = load i64, ptr %10, align 8
  %171 = icmp eq i64 %39, %170
  br i1 %171, label %177, label %198

172:                                              ; preds = %156
  %173 = add i64 %154, 1
  %174 = getelementptr inbounds i64, ptr %20, i64 %39
  store i64 %173, ptr %174, align 8
  %175 = load i64, ptr %10, align 8
  %176 = icmp eq i64 %39, %175
  br i1 %176, label %183, label %198

177:                                              ; preds = %168
  %178 = getelementptr inbounds i8, ptr %31, i64 %154
  %179 = load i8, ptr %178, align 1
  %180 = icmp eq i8 %179, 13
  %181 = zext i1 %180 to i64
  %182 = add i64 %154, %181
  br label %183

183:                                              ; preds = %177, %172
  %184 = phi i64 [ %182, %177 ], [ %154, %172 ]
  %185 = icmp slt i64 %184, %30
  br i1 %185, label %186, label %192

186:                                              ; preds = %183
  %187 = getelementptr inbounds i8, ptr %31, i64 %184
  %188 = load i8, ptr %187, align 1
  %189 = icmp eq i8 %188, 10
  %190 = zext i1 %189 to i64
  %191 = add i64 %184, %190
  br label %192

192:                                              ; preds = %183, %186
  %193 = phi i64 [ %184, %183 ], [ %191, %186 ]
  %194 = icmp eq i64 %193, %30
  br i1 %194, label %195, label %198

195:                                              ; preds = %192
  %196 = getelementptr i64, ptr %20, i64 %39
  %197 = getelementptr i8, ptr %196, i64 8
  br label %201

198:                                              ; preds = %165, %153, %48, %142, %139, %136, %72, %82, %70, %172, %168, %25, %192
  %199 = load ptr, ptr %7, align 8
  %200 = getelementptr inbounds i8, ptr %199, i64 %19
  store i8 1, ptr %200, align 1
  br label %201

201:                                              ; preds = %195, %198, %18
  %202 = phi ptr [ %20, %18 ], [ %197, %195 ], [ %20, %198 ]
  %203 = add i64 %19, 1
  %204 = load i64, ptr %0, align 8
  %205 = icmp slt i64 %203, %204
  br i1 %205, label %18, label %17
}

define void @gather_field(ptr %0, i64 %1, ptr %2, ptr %3, ptr initializes((0, 8)) %4, ptr %5) {
  %7 = getelementptr inbounds i8, ptr %0, i64 8
  %8 = load ptr, ptr %7, align 8
  store i64 0, ptr %4, align 8
  %9 = icmp sgt i64 %1, 0
  br i1 %9, label %10, label %17

10:                                               ; preds = %6
  %11 = getelementptr inbounds i8, ptr %0, i64 40
  %12 = getelementptr inbounds i8, ptr %0, i64 64
  %13 = getelementptr inbounds i8, ptr %0, i64 56
  %14 = getelementptr inbounds i8, ptr %0, i64 32
  %15 = getelementptr inbounds i8, ptr %0, i64 48
  %16 = getelementptr inbounds i8, ptr %0, i64 24
  br label %18

17:                                               ; preds = %151, %6
  ret void

18:                                               ; preds = %10, %151
  %19 = phi i64 [ 0, %10 ], [ %153, %151 ]
  %20 = phi i64 [ 0, %10 ], [ %152, %151 ]
  %21 = phi ptr [ %2, %10 ], [ %157, %151 ]
  %22 = load i64, ptr %21, align 8
  %23 = getelementptr inbounds i8, ptr %21, i64 8
  %24 = load i64, ptr %23, align 8
  %25 = add i64 %24, -1
  %26 = icmp slt i64 %22, %25
  br i1 %26, label %27, label %60

27:                                               ; preds = %18
  %28 = getelementptr inbounds i8, ptr %8, i64 %22
  %29 = load i8, ptr %28, align 1
  %30 = zext i8 %29 to i64
  %31 = load i64, ptr %11, align 8
  %32 = icmp eq i64 %31, %30
  br i1 %32, label %33, label %60

33:                                               ; preds = %27
  %34 = add i64 %24, -2
  %35 = add i64 %22, 1
  %36 = icmp slt i64 %35, %34
  br i1 %36, label %37, label %151

37:                                               ; preds = %33, %53
  %38 = phi i64 [ %58, %53 ], [ %35, %33 ]
  %39 = phi i64 [ %55, %53 ], [ %22, %33 ]
  %40 = phi i64 [ %56, %53 ], [ %20, %33 ]
  %41 = getelementptr inbounds i8, ptr %8, i64 %38
  %42 = load i8, ptr %41, align 1
  %43 = zext i8 %42 to i64
  %44 = load i64, ptr %11, align 8
  %45 = icmp eq i64 %44, %43
  br i1 %45, label %49, label %46

46:                                               ; preds = %37
  %47 = load i64, ptr %15, align 8
  %48 = icmp eq i64 %47, %43
  br i1 %48, label %49, label %53

49:                                               ; preds = %46, %37
  %50 = add i64 %39, 2
  %51 = getelementptr inbounds i8, ptr %8, i64 %50
  %52 = load i8, ptr %51, align 1
  br label %53

53:                                               ; preds = %49, %46
  %54 = phi i8 [ %52, %49 ], [ %42, %46 ]
  %55 = phi i64 [ %50, %49 ], [ %38, %46 ]
  %56 = add i64 %40, 1
  %57 = getelementptr inbounds i8, ptr %3, i64 %40
  store i8 %54, ptr %57, align 1
  %58 = add i64 %55, 1
  %59 = icmp slt i64 %58, %34
  br i1 %59, label %37, label %151

60:                                               ; preds = %27, %18
  %61 = sub i64 %25, %22
  %62 = load i64, ptr %12, align 8
  %63 = icmp slt i64 %61, %62
  br i1 %63, label %95, label %64

64:                                               ; preds = %60
  %65 = icmp sgt i64 %62, 0
  br i1 %65, label %66, label %80

66:                                               ; preds = %64
  %67 = load ptr, ptr %7, align 8
  %68 = getelementptr i8, ptr %67, i64 %22
  %69 = load ptr, ptr %13, align 8
  br label %73

70:                                               ; preds = %73
  %71 = add i64 %74, 1
  %72 = icmp eq i64 %71, %62
  br i1 %72, label %80, label %73

73:                                               ; preds = %70, %66
  %74 = phi i64 [ 0, %66 ], [ %71, %70 ]
  %75 = getelementptr i8, ptr %68, i64 %74
  %76 = load i8, ptr %75, align 1
  %77 = getelementptr inbounds i8, ptr %69, i64 %74
  %78 = load i8, ptr %77, align 1
  %79 = icmp eq i8 %76, %78
  br i1 %79, label %70, label %95

80:                                               ; preds = %70, %64
  %81 = add i64 %62, %22
  %82 = icmp eq i64 %81, %25
  br i1 %82, label %100, label %83

83:                                               ; preds = %80
  %84 = load ptr, ptr %7, align 8
  %85 = getelementptr inbounds i8, ptr %84, i64 %81
  %86 = load i8, ptr %85, align 1
  %87 = zext i8 %86 to i64
  %88 = load i64, ptr %14, align 8
  %89 = icmp eq i64 %88, %87
  br i1 %89, label %95, label %90

90:                                               ; preds = %83
  %91 = icmp ne i8 %86, 13
  %92 = icmp ne i8 %86, 10
  %93 = and i1 %91, %92
  %94 = select i1 %93, i64 %22, i64 %81
  br label %95

95:                                               ; preds = %73, %60, %83, %90
  %96 = phi i64 [ %81, %83 ], [ %22, %60 ], [ %94, %90 ], [ %22, %73 ]
  %97 = icmp eq i64 %96, %25
  %98 = icmp eq i64 %61, %62
  %99 = and i1 %98, %97
  br i1 %99, label %102, label %104

100:                                              ; preds = %80
  %101 = icmp eq i64 %61, %62
  br i1 %101, label %102, label %104

102:                                              ; preds = %95, %100
  %103 = getelementptr inbounds i8, ptr %5, i64 %19
  store i8 1, ptr %103, align 1
  br label %151

104:                                              ; preds = %100, %95
  %105 = load i64, ptr %15, align 8
  %106 = icmp slt i64 %105, 0
  br i1 %106, label %108, label %107

107:                                              ; preds = %104
  br i1 %26, label %135, label %151

108:                                              ; preds = %104
  %109 = getelementptr inbounds i8, ptr %3, i64 %20
  %110 = getelementptr inbounds i8, ptr %8, i64 %22
  %111 = icmp sgt i64 %61, 7
  br i1 %111, label %117, label %112

112:                                              ; preds = %117, %108
  %113 = phi ptr [ %109, %108 ], [ %123, %117 ]
  %114 = phi ptr [ %110, %108 ], [ %124, %117 ]
  %115 = phi i64 [ %61, %108 ], [ %122, %117 ]
  %116 = icmp sgt i64 %115, 0
  br i1 %116, label %126, label %133

117:                                              ; preds = %108, %117
  %118 = phi i64 [ %122, %117 ], [ %61, %108 ]
  %119 = phi ptr [ %124, %117 ], [ %110, %108 ]
  %120 = phi ptr [ %123, %117 ], [ %109, %108 ]
  %121 = load i64, ptr %119, align 1
  store i64 %121, ptr %120, align 1
  %122 = add i64 %118, -8
  %123 = getelementptr inbounds i8, ptr %120, i64 8
  %124 = getelementptr inbounds i8, ptr %119, i64 8
  %125 = icmp ugt i64 %118, 15
  br i1 %125, label %117, label %112

126:                                              ; preds = %112, %126
  %127 = phi i64 [ %131, %126 ], [ 0, %112 ]
  %128 = getelementptr inbounds i8, ptr %114, i64 %127
  %129 = load i8, ptr %128, align 1
  %130 = getelementptr inbounds i8, ptr %113, i64 %127
  store i8 %129, ptr %130, align 1
  %131 = add i64 %127, 1
  %132 = icmp eq i64 %131, %115
  br i1 %132, label %133, label %126

133:                                              ; preds = %126, %112
  %134 = add i64 %61, %20
  br label %151

135:                                              ; preds = %107, %135
  %136 = phi i64 [ %149, %135 ], [ %22, %107 ]
  %137 = phi i64 [ %147, %135 ], [ %20, %107 ]
  %138 = getelementptr inbounds i8, ptr %8, i64 %136
  %139 = load i8, ptr %138, align 1
  %140 = zext i8 %139 to i64
  %141 = load i64, ptr %15, align 8
  %142 = icmp eq i64 %141, %140
  %143 = zext i1 %142 to i64
  %144 = add i64 %136, %143
  %145 = getelementptr inbounds i8, ptr %8, i64 %144
  %146 = load i8, ptr %145, align 1
  %147 = add i64 %137, 1
  %148 = getelementptr inbounds i8, ptr %3, i64 %137
  store i8 %146, ptr %148, align 1
  %149 = add i64 %144, 1
  %150 = icmp slt i64 %149, %25
  br i1 %150, label %135, label %151

151:                                              ; preds = %135, %53, %107, %33, %102, %133
  %152 = phi i64 [ %56, %53 ], [ %20, %102 ], [ %134, %133 ], [ %20, %33 ], [ %20, %107 ], [ %147, %135 ]
  %153 = add i64 %19, 1
  %154 = getelementptr inbounds i64, ptr %4, i64 %153
  store i64 %152, ptr %154, align 8
  %155 = load i64, ptr %16, align 8
  %156 = getelementptr i64, ptr %21, i64 %155
  %157 = getelementptr i8, ptr %156, i64 8
  %158 = icmp eq i64 %153, %1
  br i1 %158, label %17, label %18
}
